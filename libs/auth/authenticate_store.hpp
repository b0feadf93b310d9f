// The statements that say which principal sends a request, one for each kind of credential. It is read from PostgreSQL
// for every request: no cache may answer for revocation, expiry, role or membership.
#pragma once
#include "auth/principal.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace recruiting::auth {

/// What a request presents, as it is looked up: the hash of an API key's secret, or of a session's cookie
/// (session.hpp).
struct credential {
    credential(digest const& secret_hash, principal_kind of = principal_kind::api_key) : hash(secret_hash), kind(of) {}

    digest hash;
    principal_kind kind;

    bool operator==(credential const&) const = default;
};

[[nodiscard]] pg::statement authenticate(digest const& secret_hash);
/// Authenticates a session: sets tenant, member and role for the transaction, in the organization that is chosen.
[[nodiscard]] pg::statement authenticate_session(digest const& session_hash);
[[nodiscard]] pg::statement authenticate(credential const& presented);

/// Authenticates several keys, each once, at the beginning of a transaction; gives nobody their rights yet.
[[nodiscard]] pg::statement authenticate_all(std::span<credential const> keys);
/// The statements after it have the rights of the key in this place of authenticate_all's, and no other's: none if that
/// key is not active or not known.
[[nodiscard]] pg::statement act_as(std::size_t place);

/// nullopt: no key has that secret, and no session that lives has that cookie.
[[nodiscard]] std::optional<principal> read_principal(pg::rows const& rows,
                                                      principal_kind kind = principal_kind::api_key);
/// The principal with this secret among the rows of authenticate_all.
[[nodiscard]] std::optional<principal> read_principal(pg::rows const& rows, digest const& secret_hash);

} // namespace recruiting::auth
