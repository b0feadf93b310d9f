#include "gateway/credential.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

constexpr std::string_view links = "/scheduling/manage/"; // below the public prefix

bool holds_secret(std::string_view text) noexcept {
    for (auto at = text.find("sp_"); at != std::string_view::npos; at = text.find("sp_", at + 1)) {
        auto const rest = text.substr(at + 3);
        if (rest.starts_with("live_") || rest.starts_with("test_")) return true;
    }
    return false;
}

bool target_holds_secret(std::string_view target) {
    if (holds_secret(target)) return true;
    if (target.find('%') == std::string_view::npos) return false;
    auto const decoded = percent_decode(target);
    return decoded && holds_secret(*decoded);
}

bool basic_holds_secret(std::string_view value) {
    std::string text(trim(value.substr(5)));
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    text.resize(text.find_last_not_of('=') + 1);
    auto const decoded = from_base64url(text);
    return decoded && holds_secret(*decoded);
}

bool starts_with_scheme(std::string_view value, std::string_view scheme) noexcept {
    return value.size() >= scheme.size() && iequals(value.substr(0, scheme.size()), scheme) &&
           (value.size() == scheme.size() || value[scheme.size()] == ' ' || value[scheme.size()] == '\t');
}

bool authorization_holds_key(std::string_view value) {
    return starts_with_scheme(value, "bearer") || (starts_with_scheme(value, "basic") && basic_holds_secret(value));
}

} // namespace

std::string_view find_credential(request_head const& head) {
    for (auto const& one : head.fields.list) {
        if (one.id == field_id::authorization && authorization_holds_key(one.value)) return "Authorization";
        if (holds_secret(one.line)) return one.id == field_id::authorization ? "Authorization" : one.name;
    }
    auto const question = head.target.find('?');
    if (question != std::string_view::npos && target_holds_secret(head.target.substr(question))) return "query";
    return target_holds_secret(head.target.substr(0, question)) ? "path" : std::string_view();
}

std::string loggable_path(std::string_view path, route const* to) {
    if (target_holds_secret(path)) return "[redacted]";
    if (to == nullptr || !to->open_to_browsers) return std::string(path);
    auto const token = to->prefix.size() + links.size();
    if (path.size() < token || path.substr(to->prefix.size(), links.size()) != links) return std::string(path);
    auto const end = std::min(path.find('/', token), path.size());
    return std::string(path.substr(0, token)) + "[redacted]" + std::string(path.substr(end));
}

} // namespace recruiting::gateway
