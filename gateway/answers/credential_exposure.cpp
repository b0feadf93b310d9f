#include "gateway/answers/credential_exposure.hpp"

#include "core/text.hpp"
#include "crypto/api_key_form.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

constexpr std::string_view manage = "/scheduling/manage/"; // below the public prefix: then a link's token
constexpr std::string_view interviews = "/interviews/";
constexpr std::size_t shortest_token = 40; // of 43 characters: one that was truncated opens nothing, but is close

bool holds_secret(std::string_view text) noexcept {
    constexpr auto none = std::string_view::npos;
    return text.find(live_key_prefix) != none || text.find(test_key_prefix) != none;
}

// Where a path has a token whatever it looks like; npos: nowhere.
std::size_t position_of_token(std::string_view path, route const* to) noexcept {
    if (to == nullptr || to->takes_credentials()) return std::string_view::npos;
    if (to->for_people) return path.starts_with(interviews) ? interviews.size() : std::string_view::npos;
    bool const managed = path.substr(to->prefix.size()).starts_with(manage);
    return managed ? to->prefix.size() + manage.size() : std::string_view::npos;
}

// A mistyped link leads nowhere, and its token is good all the same.
bool looks_like_token(std::string_view segment) noexcept {
    return segment.size() >= shortest_token && std::all_of(segment.begin(), segment.end(), [](char c) {
               return c == '-' || c == '_' || base62.find(c) != std::string_view::npos;
           });
}

} // namespace

bool target_holds_secret(std::string_view target) {
    if (holds_secret(target)) return true;
    if (target.find('%') == std::string_view::npos) return false;
    auto const decoded = percent_decode(target);
    return decoded && holds_secret(*decoded);
}

std::string loggable_path(std::string_view path, route const* to) {
    if (target_holds_secret(path)) return "[redacted]";
    auto const token_at = position_of_token(path, to);
    std::string out;
    for (std::size_t at = 0; at < path.size();) {
        auto const end = std::min(path.find('/', at), path.size());
        auto const segment = path.substr(at, end - at);
        bool const hidden = !segment.empty() && (at == token_at || looks_like_token(segment));
        out += hidden ? std::string_view("[redacted]") : segment;
        if (end < path.size()) out += '/';
        at = end + 1;
    }
    return out;
}

std::optional<exposed_key> find_exposure(http::request_head const& head) {
    for (auto const& one : head.fields.list)
        if (auto found = find_key_in_field(one.name, one.value)) return found;
    return find_key_in_target(head.target);
}

} // namespace recruiting::gateway
