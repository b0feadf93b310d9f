// A job as its organization has published it.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct bookable_stage {
    uuid id;
    std::string name;
    std::int64_t duration_minutes{0};
};

inline std::initializer_list<std::string_view> const workplace_types = {"on_site", "hybrid", "remote"};
inline std::initializer_list<std::string_view> const employment_types = {"full_time", "part_time",  "contract",
                                                                         "temporary", "internship", "other"};

struct published_job {
    uuid id;
    std::string title;
    std::optional<std::string> department;
    std::optional<std::string> location_name;
    std::optional<std::string> location_city;
    std::optional<std::string> location_region;
    std::optional<std::string> location_country_code;
    std::optional<std::string> workplace_type;  // of workplace_types
    std::optional<std::string> employment_type; // of employment_types
    std::optional<std::int64_t> salary_min;     // all of the salary only where it is published
    std::optional<std::int64_t> salary_max;
    std::optional<std::string> salary_currency;
    std::optional<std::string> salary_period; // year, month, week, day, hour
    std::string description_html;             // sanitised (libs/html)
    std::string description_text;
    timestamp published_at;
    std::optional<timestamp> closes_at; // not shown from then on: ask is_open
    timestamp updated_at;
    std::optional<std::string> own_apply_url; // https, http or mailto
    std::string public_url;                   // on the organization's careers page, or ours where it has none
    std::vector<bookable_stage> bookable_stages;

    // Made by the builder: where people apply, which is the job's own address, else its organization's; nullopt:
    // neither has one. GET /jobs/{id}'s answer, and its validator.
    std::optional<std::string> apply_url;
    std::shared_ptr<std::string const> body;
    std::string etag;

    [[nodiscard]] bool is_open(timestamp now) const noexcept { return !closes_at || *closes_at > now; }
};

using job_pointer = std::shared_ptr<published_job const>;

} // namespace recruiting::public_api
