#include "core/log.hpp"
#include "core/text.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

using tracing::span_kind;

// An unknown method is any text that a client chooses.
std::string_view method_of(request_context const& x) noexcept {
    auto const method = x.head.method;
    bool const is_known = is_forwarded(method) || method == "TRACE" || method == "CONNECT";
    return is_known ? method : std::string_view("_OTHER");
}

void append_text(std::string& out, std::string_view name, std::string_view value) {
    out.append(",\"").append(name).append("\":");
    append_json_string(out, value);
}

void append_count(std::string& out, std::string_view name, auto value) {
    out.append(",\"").append(name).append("\":");
    append_number(out, value);
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
    append_text(out, "rateLimit", x.count ? x.count->text() : "none");
    if (x.count) append_count(out, "remaining", x.count->remaining);
    append_count(out, "durationUs", duration.count());
    append_count(out, "bytesIn", x.received);
    append_count(out, "bytesOut", x.sent);
    if (x.truncated) out += ",\"truncated\":true";
    out += "}\n";
}

void begin_spans(session& s) {
    std::string name(method_of(s.x));
    if (s.x.to != nullptr) name.append(" ").append(s.x.to->prefix);
    s.serving = tracing::span({&s.by.tracer, s.x.trace}, s.x.caller, span_kind::server, name, s.x.began);
    s.serving.set("http.request.method", method_of(s.x)).set("url.scheme", s.x.https ? "https" : "http");
    if (s.x.to != nullptr) s.serving.set("http.route", s.x.to->prefix);
    s.serving.set("network.protocol.version", s.x.head.minor_version == 0 ? "1.0" : "1.1");
    s.serving.set("recruiting.request_id", s.x.request_id);
}

void begin_count_span(session& s) {
    s.calling = tracing::span({&s.by.tracer, s.x.trace}, span_kind::client, "INCRBY");
    s.calling.set("db.system.name", "redis").set("db.operation.name", "INCRBY");
}

void begin_call_span(session& s, std::string_view address, bool again) {
    s.calling = tracing::span({&s.by.tracer, s.x.trace}, span_kind::client, method_of(s.x));
    s.calling.set("http.request.method", method_of(s.x));
    s.calling.set_server(address);
    if (again) s.calling.set("http.request.resend_count", 1);
    s.x.call = s.calling.or_parent({&s.by.tracer, s.x.trace}).at;
}

void end_call_span(session& s, call_result const& what, bool connected) {
    if (what.outcome == forward_outcome::answered) {
        s.calling.set("http.response.status_code", s.answer.status);
        if (s.x.truncated) s.calling.fail("truncated");
        else if (s.answer.status >= 400) s.calling.fail(std::to_string(s.answer.status));
    } else if (what.outcome == forward_outcome::pending) {
        s.calling.fail(!connected ? "connect_failed" : what.silent ? "connection_closed" : "connection_lost");
    } else {
        s.calling.fail("client_failed");
    }
    s.calling.end();
}

void end_spans(session& s) {
    if (s.x.count) s.serving.set("recruiting.rate_limit", s.x.count->text());
    if (s.x.status != 0) s.serving.set("http.response.status_code", s.x.status);
    if (s.x.status == 0) s.serving.fail("client_gone");
    else if (s.x.truncated) s.serving.fail("truncated");
    else if (s.x.status >= 500) s.serving.fail(std::to_string(s.x.status));
    s.serving.end();
}

void log_request(session& s) {
    s.served = true;
    auto const now = std::chrono::steady_clock::now();
    auto const& routes = s.by.settings.routes;
    auto const route = s.x.to == nullptr ? routes.size() : static_cast<std::size_t>(s.x.to - routes.data());
    s.by.counters.requests[route].count(s.x.status, now - s.x.began);
    auto const minute = window_at(s.by.time.now()).number;
    if (s.by.settings.access_log && !(s.x.refused && s.by.shared.refusal_lines.add(s.x.client, minute))) {
        thread_local std::string line;
        line.clear();
        append_access_line(line, s.x, s.by.time.now(),
                           std::chrono::duration_cast<std::chrono::microseconds>(now - s.x.began));
        log::put(line);
    }
    if (s.serving) end_spans(s);
}

} // namespace recruiting::gateway
