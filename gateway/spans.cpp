// What is recorded of a request that is sampled (proto-docs/tracing.md): nothing of its path, its query, its fields or
// its client. Names are OpenTelemetry's semantic conventions for HTTP and Redis.
#include "gateway/session.hpp"

#include <algorithm>
#include <array>

namespace recruiting::gateway {
namespace {

using tracing::span_kind;

// A method nobody knows is any text a client likes.
std::string_view method_of(request_context const& x) noexcept {
    constexpr std::array known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"};
    bool const is_known = std::find(known.begin(), known.end(), x.head.method) != known.end();
    return is_known ? x.head.method : std::string_view("_OTHER");
}

std::string_view decision_of(decision const& count) noexcept {
    if (!count.over) return "allowed";
    return count.shadow ? "shadow_refused" : "refused";
}

} // namespace

void session::begin_spans() {
    std::string name(method_of(x_));
    if (x_.to != nullptr) name.append(" ").append(x_.to->prefix);
    serving_ = tracing::span({&worker_.tracer, x_.trace}, x_.caller, span_kind::server, name, x_.began);
    serving_.set("http.request.method", method_of(x_)).set("url.scheme", x_.https ? "https" : "http");
    if (x_.to != nullptr) serving_.set("http.route", x_.to->prefix);
    serving_.set("network.protocol.version", x_.head.minor_version == 0 ? "1.0" : "1.1");
    serving_.set("recruiting.request_id", x_.request_id);
}

void session::begin_count_span() {
    calling_ = tracing::span({&worker_.tracer, x_.trace}, span_kind::client, "INCRBY");
    calling_.set("db.system.name", "redis").set("db.operation.name", "INCRBY");
}

void session::begin_call_span(std::string_view address, std::int64_t resends) {
    calling_ = tracing::span({&worker_.tracer, x_.trace}, span_kind::client, method_of(x_));
    calling_.set("http.request.method", method_of(x_));
    calling_.set_server(address);
    if (resends > 0) calling_.set("http.request.resend_count", resends);
    x_.call = calling_.or_parent({&worker_.tracer, x_.trace}).at;
}

void session::end_call_span(attempt_outcome outcome, loss const& what, bool connected) {
    if (outcome == attempt_outcome::answered) {
        calling_.set("http.response.status_code", answer_.status);
        if (x_.truncated) calling_.fail("truncated");
        else if (answer_.status >= 400) calling_.fail(std::to_string(answer_.status));
    } else if (outcome == attempt_outcome::lost) {
        calling_.fail(!connected ? "connect_failed" : what.silent ? "connection_closed" : "connection_lost");
    } else {
        calling_.fail("client_failed");
    }
    calling_.end();
}

void session::end_spans() {
    if (x_.count) serving_.set("recruiting.ceiling", decision_of(*x_.count));
    if (x_.status != 0) serving_.set("http.response.status_code", x_.status);
    if (x_.status == 0) serving_.fail("client_gone");
    else if (x_.truncated) serving_.fail("truncated");
    else if (x_.status >= 500) serving_.fail(std::to_string(x_.status));
    serving_.end();
}

} // namespace recruiting::gateway
