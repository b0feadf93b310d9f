// The statements of sessions and sign-in links, and their rows.
#pragma once
#include "auth/authenticate_store.hpp"
#include "auth_api/background/keys/last_use.hpp"
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "mail/address.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::console {

/// Who sends a request, as the audit log and a session keep it.
struct sender {
    std::optional<ip_address> client;
    std::string user_agent;
    std::string_view request_id;
};

// Sign-in links.

struct link_limits {
    std::int64_t per_client; // an hour
    std::int64_t per_address;
};
/// A whole segment: counts the request and, within the limits, writes it down; the same for known and unknown
/// addresses.
[[nodiscard]] std::vector<pg::statement> insert_link_request(std::string_view address_key,
                                                             std::optional<std::string> const& language,
                                                             std::optional<ip_address> const& client,
                                                             link_limits const& limits);
/// nullopt: accepted; else the seconds until the client may ask again.
[[nodiscard]] std::optional<std::int64_t> read_link_refusal(pg::rows const& rows);

/// For the rest of the transaction.
[[nodiscard]] pg::statement present_link(digest const& token_hash);
/// operators: of those that recruitctl printed alone, not of mailed ones.
enum class link_origin { any, operators };
[[nodiscard]] pg::statement select_link(link_origin accepted);

/// In place of present_link: a token that only this transaction presents, for the person with this address, if they are
/// a member or invited. Nothing the second time.
[[nodiscard]] std::vector<pg::statement> present_identified(digest const& token_hash, mail::address const& claimed);

// Sessions.

struct new_session {
    uuid id;
    digest hash;
    std::optional<auth::credential> replaced; // the session that the browser had before
    std::chrono::milliseconds lifetime;
    std::chrono::milliseconds idle_expiry;

    [[nodiscard]] auth::credential credential() const { return {hash, auth::principal_kind::member}; }
};
/// After present_link. done is false when the link is used, expired, unknown or not accepted.
[[nodiscard]] pg::statement open_session(new_session const& made, link_origin accepted, sender const& from);
// Each of the next four follows auth::authenticate in its transaction.

/// done is false when the person is not a member there.
[[nodiscard]] pg::statement choose_organization(uuid const& organization, sender const& from);
[[nodiscard]] pg::statement select_organizations();
/// The person's sessions, the newest first.
[[nodiscard]] pg::statement select_sessions();
/// Which of the person's sessions end; without one, and not everywhere, the presented one.
struct sessions_ending {
    std::optional<uuid> one{};
    bool everywhere{false}; // with the links that the person has not used
};
/// Writes the audit rows.
[[nodiscard]] pg::statement sign_out(sessions_ending which, sender const& from);

/// A whole segment: last_seen_at, and with it the idle expiry.
[[nodiscard]] std::vector<pg::statement> write_session_uses(std::vector<noted_use> const& uses,
                                                            std::chrono::milliseconds idle_expiry);

} // namespace recruiting::auth_api::console
