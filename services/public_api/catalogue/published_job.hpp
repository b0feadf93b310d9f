// A job as its organization has published it; the catalogue holds it packed (packed_job.hpp).
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <initializer_list>
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
    std::optional<timestamp> closes_at;
    timestamp updated_at;
    std::optional<std::string> own_apply_url; // https, http or mailto
    std::vector<bookable_stage> bookable_stages;

    // With what the organization adds: where people see the job, on its careers page or ours; and where they apply,
    // which is the job's own address, else the organization's; nullopt: neither has one.
    std::string public_url;
    std::optional<std::string> apply_url;
};

} // namespace recruiting::public_api
