#include "mail/meeting_url.hpp"

#include <algorithm>

namespace recruiting::mail {
namespace {

constexpr std::string_view placeholder = "{room}";
constexpr std::string_view secure = "https://";
constexpr std::size_t longest = 2'000;
constexpr std::size_t longest_template = 1'000;

// Printable ASCII without what ends an address.
bool is_safe(char c) noexcept {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>\\^`").find(c) == std::string_view::npos;
}

} // namespace

std::optional<std::string> meeting_url_problem(std::string_view text) {
    if (!text.starts_with(secure)) return "must begin with https://";
    auto const host = text.substr(secure.size(), text.find_first_of("/?#", secure.size()) - secure.size());
    if (host.empty() || host.starts_with(':') || host.find('@') != host.npos) return "must name a host, and no user";
    if (text.size() > longest) return "must be at most " + std::to_string(longest) + " characters";
    if (!std::all_of(text.begin(), text.end(), is_safe)) return "must be printable ASCII without spaces and quotes";
    return std::nullopt;
}

std::optional<std::string> room_template_problem(std::string_view text) {
    if (auto problem = meeting_url_problem(text)) return problem;
    if (text.size() > longest_template) return "must be at most " + std::to_string(longest_template) + " characters";
    auto const first = text.find(placeholder);
    if (first == text.npos || text.find(placeholder, first + 1) != text.npos) return "must contain {room} once";
    if (text.substr(secure.size(), first - secure.size()).find('/') == text.npos)
        return "must contain {room} after the host";
    return std::nullopt;
}

std::optional<std::string> room_url(std::string_view text, uuid const& room) {
    auto const at = text.find(placeholder);
    if (at == text.npos) return std::nullopt;
    return std::string(text.substr(0, at)) + to_string(room) + std::string(text.substr(at + placeholder.size()));
}

} // namespace recruiting::mail
