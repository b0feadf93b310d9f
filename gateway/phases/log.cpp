#include "core/log.hpp"
#include "core/text.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"
#include "http/loggable_path.hpp"

namespace recruiting::gateway {
namespace {

using tracing::span_kind;

// An unknown method is any text that a client chooses.
std::string_view method_of(client_request const& request) noexcept {
    auto const method = request.head.method;
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

void append_access_line(std::string& out, client_request const& request, timestamp now,
                        std::chrono::microseconds duration) {
    out += R"({"time":")";
    append_time(out, now);
    out += R"(","level":"info","program":"gateway","event":"request")";
    append_text(out, "requestId", request.request_id);
    append_text(out, "traceId", tracing::trace_text(request.trace));
    append_text(out, "method", request.head.method); // a token: ASCII
    append_text(out, "route", request.to == nullptr ? std::string_view() : std::string_view(request.to->prefix));
    append_text(out, "path", http::loggable_path(request.where.path));
    append_count(out, "status", request.status);
    append_text(out, "client", to_string(request.client));
    append_text(out, "rateLimit", request.count ? request.count->text() : "none");
    if (request.count) append_count(out, "remaining", request.count->remaining);
    append_count(out, "durationUs", duration.count());
    append_count(out, "bytesIn", request.received);
    append_count(out, "bytesOut", request.sent);
    if (request.truncated) out += ",\"truncated\":true";
    out += "}\n";
}

void begin_spans(session& s) {
    std::string name(method_of(s.request));
    if (s.request.to != nullptr) name.append(" ").append(s.request.to->prefix);
    s.serving =
        tracing::span({&s.worker->tracer, s.request.trace}, s.request.caller, span_kind::server, name, s.request.began);
    s.serving.set("http.request.method", method_of(s.request)).set("url.scheme", s.request.https ? "https" : "http");
    if (s.request.to != nullptr) s.serving.set("http.route", s.request.to->prefix);
    s.serving.set("network.protocol.version", s.request.head.minor_version == 0 ? "1.0" : "1.1");
    s.serving.set("recruiting.request_id", s.request.request_id);
}

void begin_count_span(session& s) {
    s.calling = tracing::span({&s.worker->tracer, s.request.trace}, span_kind::client, "INCRBY");
    s.calling.set("db.system.name", "redis").set("db.operation.name", "INCRBY");
}

void begin_call_span(session& s, std::string_view address, bool again) {
    s.calling = tracing::span({&s.worker->tracer, s.request.trace}, span_kind::client, method_of(s.request));
    s.calling.set("http.request.method", method_of(s.request));
    s.calling.set_server(address);
    if (again) s.calling.set("http.request.resend_count", 1);
    s.request.call = s.calling.or_parent({&s.worker->tracer, s.request.trace}).at;
}

void end_call_span(session& s, call_result const& what, bool connected) {
    if (what.outcome == forward_outcome::answered) {
        s.calling.set("http.response.status_code", s.answer.status);
        if (s.request.truncated) s.calling.fail("truncated");
        else if (s.answer.status >= 400) s.calling.fail(std::to_string(s.answer.status));
    } else if (what.outcome == forward_outcome::pending) {
        s.calling.fail(!connected ? "connect_failed" : what.silent ? "connection_closed" : "connection_lost");
    } else {
        s.calling.fail("client_failed");
    }
    s.calling.end();
}

void end_spans(session& s) {
    if (s.request.count) s.serving.set("recruiting.rate_limit", s.request.count->text());
    if (s.request.status != 0) s.serving.set("http.response.status_code", s.request.status);
    if (s.request.status == 0) s.serving.fail("client_gone");
    else if (s.request.truncated) s.serving.fail("truncated");
    else if (s.request.status >= 500) s.serving.fail(std::to_string(s.request.status));
    s.serving.end();
}

void log_request(session& s) {
    s.served = true;
    auto const now = std::chrono::steady_clock::now();
    auto const& routes = s.worker->settings.routes;
    auto const route = s.request.to == nullptr ? routes.size() : static_cast<std::size_t>(s.request.to - routes.data());
    s.worker->counters.requests[route].count(s.request.status, now - s.request.began);
    auto const minute = window_at(s.worker->time.now()).number;
    if (s.worker->settings.access_log &&
        !(s.request.refused && s.worker->shared.refusal_lines.add(s.request.client, minute))) {
        thread_local std::string line;
        line.clear();
        append_access_line(line, s.request, s.worker->time.now(),
                           std::chrono::duration_cast<std::chrono::microseconds>(now - s.request.began));
        log::put(line);
    }
    if (s.serving) end_spans(s);
}

} // namespace recruiting::gateway
