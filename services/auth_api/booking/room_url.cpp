#include "auth_api/booking/room_url.hpp"

#include <algorithm>

namespace recruiting::auth_api::booking {
namespace {

constexpr std::string_view placeholder = "{room}";
constexpr std::string_view secure = "https://";
constexpr std::size_t longest = 1'000;

// An address stands in mails, calendars and pages: printable ASCII without what ends it there.
bool is_safe(char c) noexcept {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`").find(c) == std::string_view::npos;
}

} // namespace

std::optional<std::string> room_template_problem(std::string_view text) {
    if (text.empty()) return std::nullopt;
    if (!text.starts_with(secure) || text.size() == secure.size()) return "must begin with https://";
    if (text.size() > longest) return "must be at most " + std::to_string(longest) + " characters";
    if (!std::all_of(text.begin(), text.end(), is_safe)) return "must be printable ASCII without spaces and quotes";
    auto const first = text.find(placeholder);
    if (first == std::string_view::npos || text.find(placeholder, first + 1) != std::string_view::npos)
        return "must contain {room} once";
    if (text.substr(secure.size(), first - secure.size()).find('/') == std::string_view::npos)
        return "must contain {room} after the host";
    return std::nullopt;
}

std::optional<std::string> room_url(std::string_view text, uuid const& room) {
    auto const at = text.find(placeholder);
    if (at == std::string_view::npos) return std::nullopt;
    return std::string(text.substr(0, at)) + to_string(room) + std::string(text.substr(at + placeholder.size()));
}

} // namespace recruiting::auth_api::booking
