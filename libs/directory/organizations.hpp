// Organizations as operations. What the caller can cause comes back as a result; an outage throws.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "directory/actor.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

struct organization {
    uuid id;
    std::string slug;
    std::string name;
    std::optional<std::string> website_url;
    std::optional<std::string> logo_url;
    std::string time_zone{"UTC"}; // IANA
    std::optional<std::string> country_code;
    std::optional<std::string> careers_page_url;
    std::int64_t member_count{0};
    std::int64_t open_job_count{0};
    timestamp created_at;
    timestamp updated_at;
};

/// Reads slug, name, the URLs, time zone and country of `wanted`; the rest is filled in. The organization starts with a
/// trialing subscription. Refused: a slug that is taken, invalid values (all told at once).
[[nodiscard]] result<organization> create_organization(pg::client& database, organization const& wanted,
                                                       actor const& by = {});
[[nodiscard]] result<organization> find_organization(pg::client& database, std::string_view slug);
/// By slug.
[[nodiscard]] std::vector<organization> list_organizations(pg::client& database);

} // namespace recruiting::directory
