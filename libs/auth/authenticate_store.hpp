// The statements that say which principal sends a request, one for each kind of credential. It is read from PostgreSQL
// for every request: no cache may answer for revocation, expiry, role or membership.
#pragma once
#include "auth/pepper.hpp"
#include "auth/principal.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace recruiting::auth {

/// What a request presents, as it is looked up: the hash of an API key's secret, or of a session's cookie
/// (session.hpp).
struct credential {
    credential(digest const& secret_hash, principal_kind of = principal_kind::api_key) : hash(secret_hash), kind(of) {}

    digest hash;
    principal_kind kind;
    std::optional<digest> previous_hash{}; // under the previous pepper, if there is one

    bool operator==(credential const&) const = default;
};

[[nodiscard]] credential present_key(pepper_pair const& peppers, std::string_view secret);
[[nodiscard]] credential present_session(pepper_pair const& peppers, std::string_view secret);

/// Authenticates a key, or a session in the organization that is chosen: sets tenant, member and role for the
/// transaction.
[[nodiscard]] pg::statement authenticate(credential const& presented);

/// Authenticates several keys, each once, at the beginning of a transaction; gives nobody their rights yet. Either all
/// of them have a previous hash or none.
[[nodiscard]] pg::statement authenticate_all(std::span<credential const> keys);
/// The statements after it have the rights of the key in this place of authenticate_all's, and no other's: none if that
/// key is not active or not known.
[[nodiscard]] pg::statement act_as(std::size_t place);

/// nullopt: no key has that secret, and no session that lives has that cookie.
[[nodiscard]] std::optional<principal> read_principal(pg::rows const& rows,
                                                      principal_kind kind = principal_kind::api_key);
/// The principal with this key among the rows of authenticate_all.
[[nodiscard]] std::optional<principal> read_principal(pg::rows const& rows, credential const& key);

} // namespace recruiting::auth
