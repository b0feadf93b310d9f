// The one statement that says which principal sends a request. It is read from PostgreSQL for every request: no cache
// may answer for revocation, expiry, role or membership.
#pragma once
#include "auth/principal.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <optional>

namespace recruiting::auth {

[[nodiscard]] pg::statement authenticate(digest const& secret_hash);
/// nullopt: no key has that secret.
[[nodiscard]] std::optional<principal> read_principal(pg::rows const& rows);

} // namespace recruiting::auth
