// A mail of the outbox: what happened to a booking, and whom and what it is about. Names and addresses are as they are
// now, times as they were when it was written.
#pragma once
#include "core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::auth_api::mailing {

enum class audience { candidate, interviewer };
enum class kind { confirmed, rescheduled, canceled, slot_taken, already_booked };
[[nodiscard]] std::string_view to_string(audience to) noexcept;
[[nodiscard]] std::string_view to_string(kind about) noexcept;

struct outbox_mail {
    uuid id;
    mailing::audience to{audience::candidate};
    kind about{kind::confirmed};
    std::optional<timestamp> starts_at;
    std::optional<timestamp> ends_at;
    std::optional<timestamp> previous_starts_at;
    std::optional<timestamp> wanted_starts_at;
    std::string time_zone; // the candidate's
    uuid calendar_uid;
    std::int64_t sequence{0};
    std::int64_t attempts{0}; // this one counted
    timestamp created_at;
    timestamp now; // the database's

    std::string language; // the candidate's; may be empty
    bool has_meeting_url{false};
    std::string organization_name;
    std::string organization_time_zone;
    std::string job_title;
    std::string stage_name;
    std::string candidate_name;
    std::string candidate_email; // empty: the candidate was deleted
    std::string interviewer_name;
    std::string interviewer_email; // empty: a member no more
};

} // namespace recruiting::auth_api::mailing
