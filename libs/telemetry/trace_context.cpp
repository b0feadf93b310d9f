#include "telemetry/trace_context.hpp"

#include "core/ids.hpp"

namespace recruiting {
namespace {

bool is_lower_hex(std::string_view text) noexcept {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_zero(std::string_view text) noexcept { return text.find_first_not_of('0') == std::string_view::npos; }

} // namespace

bool is_traceparent(std::string_view text) noexcept {
    if (text.size() != 55 || text.substr(0, 3) != "00-" || text[35] != '-' || text[52] != '-') return false;
    auto const trace = text.substr(3, 32);
    auto const parent = text.substr(36, 16);
    return is_lower_hex(trace) && is_lower_hex(parent) && is_lower_hex(text.substr(53)) && !is_zero(trace) &&
           !is_zero(parent);
}

void append_traceparent(std::string& out) {
    out += "00-";
    append_id(out, random_id());
    out += '-';
    append_id(out, random_id());
    out.resize(out.size() - 16); // the parent is half as long
    out += "-01";
}

} // namespace recruiting
