// What the kinds of records have in common, and the form of links.
#include "core/text.hpp"
#include "recruitctl/import/fields.hpp"

#include <algorithm>
#include <stdexcept>

namespace recruiting::recruitctl {
namespace {} // namespace

bool is_web_url(std::string_view text) noexcept {
    auto const colon = text.find("://");
    if (colon == std::string_view::npos || text.size() > 2000) return false;
    if (!iequals(text.substr(0, colon), "http") && !iequals(text.substr(0, colon), "https")) return false;
    auto const rest = text.substr(colon + 3);
    if (rest.empty() || !is_alphanumeric(rest.front())) return false;
    return percent_decode(rest).has_value() && std::all_of(rest.begin(), rest.end(), [](char c) {
               return is_alphanumeric(c) || std::string_view("-._~:/?#@!$&'()*+,;=%").find(c) != std::string_view::npos;
           });
}

std::string_view to_string(import_kind kind) noexcept {
    switch (kind) {
    case import_kind::jobs: return "jobs";
    case import_kind::candidates: return "candidates";
    case import_kind::applications: return "applications";
    }
    return "";
}

import_row to_row(import_kind kind, record const& from) {
    switch (kind) {
    case import_kind::jobs: return to_job_row(from);
    case import_kind::candidates: return to_candidate_row(from);
    case import_kind::applications: return to_application_row(from);
    }
    throw std::logic_error("no such kind of import");
}

void map_location(field_mapper& from) {
    auto const* location = from.take("location");
    if (location == nullptr) return;
    if (!location->is_object() && !location->is_null()) {
        from.refuse("location", "wrong_type", "must be an object of name, city, region and countryCode, or null");
        return;
    }
    auto part = from.nested("location", *location);
    part.text("name", "location_name");
    part.text("city", "location_city");
    part.text("region", "location_region");
    part.code("countryCode", "location_country_code", 2);
    part.refuse_unknown();
}

void map_times_of_record(field_mapper& from) {
    from.time("createdAt", "created_at", false);
    from.time("updatedAt", "updated_at", false);
    auto const deleted = from.boolean("deleted", {});
    bool const has_time = from.has_value("deletedAt");
    if (deleted == false && has_time) {
        from.refuse("deleted", "contradiction", "must not be false when deletedAt is given");
    } else if (has_time) {
        from.time("deletedAt", "deleted_at");
    } else if (deleted == true) {
        from.open_column("deleted") += "true"; // now, unless it is deleted already
    } else if (deleted == false || from.has("deletedAt")) {
        from.open_column("deleted_at") += "null";
    }
    from.ignore({"deletedAt"});
}

import_row map_record(record const& from, void (*map)(field_mapper&)) {
    import_row row;
    row.line = from.line;
    row.problems = from.problems;
    if (!row.problems.empty()) return row;
    field_mapper fields(from.fields, from.textual, row.columns, row.problems);
    if (auto id = fields.required_key("externalId", {})) row.external_id = std::move(*id);
    map(fields);
    map_times_of_record(fields);
    fields.refuse_unknown();
    row.columns.insert(0, 1, '{');
    row.columns += '}';
    return row;
}

} // namespace recruiting::recruitctl
