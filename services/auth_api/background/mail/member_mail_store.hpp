// Mails to members of the outbox: sign-in links and invitations. Their lease and how they end are outbox_store.hpp's.
#pragma once
#include "auth_api/background/mail/outbox_store.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::mailing {

enum class member_kind { sign_in, invitation };
[[nodiscard]] std::string_view to_string(member_kind about) noexcept;

/// To whom and about what, as it is now.
struct member_mail {
    uuid id;
    member_kind about{member_kind::sign_in};
    std::string email; // empty: no longer a member, or no longer invited
    std::string name;
    std::string inviter;           // the address of who invites; empty: an operator
    std::string organization_name; // of invitations, as the next two
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;
    std::string language;     // may be empty
    std::int64_t attempts{0}; // this one counted
    timestamp first_attempt_at;
    timestamp created_at;
    timestamp now; // the database's
};

struct member_link {
    digest hash;
    std::chrono::milliseconds sign_in_lifetime;
    std::chrono::milliseconds invitation_lifetime;
};
/// What the mail says; the hash of its link is put down with it. Every attempt has a link of its own.
[[nodiscard]] std::vector<pg::statement> open_member_mail(lease const& of, member_link const& link);
/// nullopt: this worker has lost the mail.
[[nodiscard]] std::optional<member_mail> read_member_mail(std::span<pg::rows const> answer);

} // namespace recruiting::auth_api::mailing
