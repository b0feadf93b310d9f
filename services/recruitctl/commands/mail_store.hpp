// The mails of all organizations, as their operator sees them. No names and no addresses but one that is asked for.
#pragma once
#include "core/ids.hpp"
#include "pg/client.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

struct listed_mail {
    uuid id;
    std::string organization; // its slug
    uuid booking_id;
    std::string audience;
    std::string kind;
    std::string status;
    std::int64_t attempts{0};
    timestamp created_at;
    std::optional<timestamp> next_attempt_at; // of waiting ones
    std::optional<timestamp> finished_at;
    std::optional<std::string> last_error;
    std::optional<timestamp> starts_at;
    std::int64_t sequence{0};
};

struct mail_filter {
    std::optional<std::string> status;
    std::optional<std::string> organization; // slug
    std::int64_t limit{100};
};

/// The newest first.
[[nodiscard]] std::vector<listed_mail> select_mails(pg::client& database, mail_filter const& filter);
[[nodiscard]] std::optional<listed_mail> select_mail(pg::client& database, uuid const& id);
/// Whom it would go to now; nullopt: that one is gone.
[[nodiscard]] std::optional<std::string> select_mail_address(pg::client& database, uuid const& id);

/// Lets these be sent again, the next moment. Gives back those that will be: not the ones whose recipient has got a
/// later mail about the same booking.
[[nodiscard]] std::vector<uuid> resend_mails(pg::client& database, std::vector<uuid> const& ids);
[[nodiscard]] std::vector<uuid> select_dead_mails(pg::client& database, std::optional<std::string> const& organization);

} // namespace recruiting::recruitctl
