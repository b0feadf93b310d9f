#include "gateway/access_log.hpp"

#include "core/log_lines.hpp"
#include "core/text.hpp"
#include "gateway/answers/credential_exposure.hpp"

namespace recruiting::gateway {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view value) {
    out.append(",\"").append(name).append("\":");
    append_json_string(out, value);
}

void append_count(std::string& out, std::string_view name, auto value) {
    out.append(",\"").append(name).append("\":");
    append_number(out, value);
}

std::string_view decision_of(request_context const& x) noexcept {
    if (!x.count) return "none";
    if (!x.count->over) return "allowed";
    return x.count->shadow ? "shadow_refused" : "refused";
}

} // namespace

void append_access_line(std::string& out, request_context const& x, timestamp now, std::chrono::microseconds duration) {
    out += R"({"time":")";
    append_time(out, now);
    out += R"(","level":"info","program":"gateway","event":"request")";
    append_text(out, "requestId", x.request_id);
    append_text(out, "traceId", tracing::trace_text(x.trace));
    append_text(out, "method", x.head.method); // a token: ASCII
    append_text(out, "route", x.to == nullptr ? std::string_view() : std::string_view(x.to->prefix));
    append_text(out, "path", loggable_path(x.where.path, x.to));
    append_count(out, "status", x.status);
    append_text(out, "client", to_string(x.client));
    append_text(out, "ceiling", decision_of(x));
    if (x.count) append_count(out, "remaining", x.count->remaining);
    append_count(out, "durationUs", duration.count());
    append_count(out, "bytesIn", x.received);
    append_count(out, "bytesOut", x.sent);
    if (x.truncated) out += ",\"truncated\":true";
    out += "}\n";
}

void write_access_line(request_context const& x, std::chrono::steady_clock::time_point now) {
    thread_local std::string line;
    line.clear();
    append_access_line(line, x, system_time().now(),
                       std::chrono::duration_cast<std::chrono::microseconds>(now - x.began));
    log::put(line);
}

} // namespace recruiting::gateway
