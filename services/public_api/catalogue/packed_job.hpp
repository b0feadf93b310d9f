// A job as its organization has published it, and as the catalogue holds it. Pure.
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
    std::optional<std::string> salary_min;      // "20.75": exact, as JSON writes numbers
    std::optional<std::string> salary_max;      // all of the salary only where it is published
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

/// What lists compare as values, the other fields as one text, and the description compressed: ten thousand jobs are
/// some 15 MB.
struct packed_job {
    packed_job(published_job const& job); // NOLINT(google-explicit-constructor): the same job in another form

    uuid id;
    timestamp published_at;
    std::optional<timestamp> closes_at; // not shown from then on: ask is_open
    timestamp updated_at;
    std::string etag;        // of GET /jobs/{id}'s response; set by the builder, for it depends on the organization
    std::string facts;       // all other fields but the description, one after the other
    std::string description; // HTML and text, compressed together

    [[nodiscard]] bool is_open(timestamp now) const noexcept { return !closes_at || *closes_at > now; }
};

using job_pointer = std::shared_ptr<packed_job const>;

/// The job without its description, and without what its organization adds: public_url and apply_url.
[[nodiscard]] published_job facts_of(packed_job const& job);
void unpack_description(packed_job const& from, published_job& into);

} // namespace recruiting::public_api
