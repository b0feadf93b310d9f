// The demo's records, made from a seed alone: no clock, no database. Times lie before one fixed day (demo_today), so
// that a seed gives the same records whenever it is loaded.
#pragma once
#include "recruitctl/demo/random.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

/// 2025-11-15T12:00:00Z
[[nodiscard]] timestamp demo_today() noexcept;

struct demo_organization {
    uuid id;
    std::string slug;
    std::string name;
    std::string website_url;
    std::optional<std::string> careers_page_url; // else our own
    std::optional<std::string> accent_color;
    std::optional<std::string> apply_url;
    std::string time_zone;
    std::string country_code;
    timestamp created_at;
    bool full; // the whole cast; otherwise an admin and a recruiter
};

struct demo_member {
    uuid user_id;
    uuid membership_id;
    std::string email;
    std::string name;
    std::string role;
    std::string status;
    std::string title;
    timestamp created_at;
};

struct demo_stage {
    uuid id;
    std::string name;
    std::string kind;
    int minutes; // > 0: bookable, and how long the interview is
};

struct demo_team_member {
    std::size_t member; // index in the result of make_demo_members
    std::string role;
};

struct demo_job {
    uuid id;
    std::string external_id, requisition_id, title, department, status, workplace_type, employment_type;
    std::string location_name, city, region, country_code, currency, description_html;
    std::int64_t openings, salary_min, salary_max;
    bool salary_published, published;
    timestamp created_at;
    std::optional<timestamp> opened_at, closed_at;
    std::vector<demo_stage> stages;
    std::vector<demo_team_member> team;
};

struct demo_application {
    uuid id, job_id, stage_id;
    std::string external_id, status, rejection_reason;
    timestamp applied_at, stage_entered_at;
    std::optional<timestamp> rejected_at, hired_at;
    timestamp updated_at;
};

struct demo_candidate {
    uuid id;
    std::string external_id, name, email, phone, current_title, current_company, city, region, country_code, source;
    std::string links; // JSON
    std::vector<std::string> tags;
    timestamp created_at, last_activity_at;
    std::vector<demo_application> applications;
};

[[nodiscard]] demo_organization make_demo_organization(std::uint64_t seed, std::string const& slug, bool full);
[[nodiscard]] std::vector<demo_member> make_demo_members(std::uint64_t seed, demo_organization const& of);
/// index counts from 0. Job 0 is open, published, in the team of manager@, with bookable stages.
[[nodiscard]] demo_job make_demo_job(std::uint64_t seed, demo_organization const& of, std::uint64_t index);
/// Candidate 0 has an active application at the first bookable stage of job 0.
[[nodiscard]] demo_candidate make_demo_candidate(std::uint64_t seed, demo_organization const& of, std::uint64_t index,
                                                 std::vector<demo_job> const& jobs);

/// "Zoë O'Brien" → "zoeobrien": ASCII letters and digits of it.
[[nodiscard]] std::string ascii_word(std::string_view name);

} // namespace recruiting::recruitctl
