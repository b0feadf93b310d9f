#include "recruitctl/commands/slot_options.hpp"

namespace recruiting::recruitctl {

std::optional<uuid> find_id(invocation const& call, std::string_view option) {
    auto const text = call.find(option);
    if (!text) return std::nullopt;
    auto const id = parse_id(*text);
    if (!id) throw usage_error(std::string(option) + " must be an id: 32 hex characters");
    return id;
}

zones::wall_clock clock_option(std::string_view option, std::string_view text, interviews::clock_time fallback) {
    auto const at = interviews::parse_wall_clock(text, fallback);
    if (!at) throw usage_error(std::string(option) + wrong_clock);
    return *at;
}

std::string zone_option(invocation const& call, std::string const& organization_zone) {
    auto zone = call.find("--time-zone").value_or(organization_zone);
    if (!zones::is_zone(zone)) throw usage_error(zone + " is not a time zone such as Europe/Berlin");
    return zone;
}

std::optional<std::string> url_or_clear(invocation const& call) {
    if (call.has("--url") == call.has("--clear")) throw usage_error("give either --url or --clear");
    return call.find("--url");
}

} // namespace recruiting::recruitctl
