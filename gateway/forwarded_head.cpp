#include "gateway/forwarded_head.hpp"

#include "core/text.hpp"
#include "http/head.hpp"

namespace recruiting::gateway {
namespace {

// Field lines passed on as received: neighbours, as most are, in one piece.
class kept_lines {
public:
    explicit kept_lines(std::string& out) : out_(out) {}
    void add(std::string_view line) {
        if (line.data() != kept_.data() + kept_.size()) end();
        kept_ = kept_.empty() ? line : std::string_view(kept_.data(), kept_.size() + line.size());
    }
    void end() {
        out_.append(kept_);
        kept_ = {};
    }

private:
    std::string& out_;
    std::string_view kept_;
};

bool goes_up(field const& one, bool to_public) noexcept {
    if (one.dropped || is_hop_by_hop(one.id)) return false;
    switch (one.id) {
    case field_id::authorization:
    case field_id::cookie: return !to_public;
    case field_id::content_length:
    case field_id::expect:
    case field_id::forwarded:
    case field_id::host:
    case field_id::traceparent:
    case field_id::tracestate:
    case field_id::x_claimed:
    case field_id::x_forwarded_for:
    case field_id::x_forwarded_other:
    case field_id::x_forwarded_proto:
    case field_id::x_real_ip:
    case field_id::x_request_id: return false;
    default: return true;
    }
}

bool goes_down(field const& one, bool hsts) noexcept {
    if (one.dropped || is_hop_by_hop(one.id)) return false;
    switch (one.id) {
    case field_id::content_length:
    case field_id::x_content_type_options:
    case field_id::x_request_id: return false;
    case field_id::strict_transport_security: return !hsts;
    default: return true;
    }
}

// The client as the gateway knows it: the older fields and RFC 7239's. A port in a host needs quotes.
void append_client_fields(std::string& out, request_context const& x, std::string_view host) {
    std::string_view const scheme = x.https ? "https" : "http";
    std::string client;
    append_ip(client, x.client);
    append_all(out, "X-Forwarded-For: ", client, "\r\nX-Forwarded-Proto: ", scheme, "\r\nX-Forwarded-Host: ", host);
    bool const v4 = x.client.is_v4();
    append_all(out, "\r\nForwarded: for=", v4 ? "" : "\"[", client, v4 ? "" : "]\"", ";host=\"", host,
               "\";proto=", scheme, "\r\n");
}

// W3C Trace Context section 3.3: all its fields are one list, passed on whole or, malformed or too long, not at all.
bool has_good_tracestate(head_fields const& fields) noexcept {
    unsigned members = 0;
    for (auto const& one : fields.list) {
        if (one.id != field_id::tracestate) continue;
        auto const more = tracing::count_tracestate(one.value);
        if (!more) return false;
        members += *more;
    }
    return members <= tracing::most_tracestate_members;
}

// A tracestate belongs to its traceparent: without that it means nothing.
void append_trace_fields(std::string& out, request_context const& x) {
    auto const& fields = x.head.fields;
    append_all(out, "X-Request-Id: ", x.request_id, "\r\ntraceparent: ");
    tracing::append_traceparent(out, x.call);
    out += "\r\n";
    if (!x.caller || !fields.has(field_id::tracestate) || !has_good_tracestate(fields)) return;
    for (auto const& one : fields.list)
        if (one.id == field_id::tracestate) out.append(one.line);
}

// A shadow rate limit holds nobody back, so it announces nothing either.
bool announces_count(request_context const& x) noexcept { return x.count && !x.count->shadow; }

} // namespace

void append_request_head(std::string& out, request_context const& x, std::string_view to) {
    auto const host = x.host.empty() ? to : x.host;
    append_all(out, x.head.method, " ", x.where.path, x.where.query, " HTTP/1.1\r\nHost: ", host, "\r\n");
    bool const to_public = !x.to->takes_credentials();
    kept_lines kept(out);
    for (auto const& one : x.head.fields.list)
        if (goes_up(one, to_public)) kept.add(one.line);
    kept.end();
    append_client_fields(out, x, host);
    append_trace_fields(out, x);
    append_all(out, x.head.minor_version == 0 ? "Via: 1.0" : "Via: 1.1", " recruiting-gateway\r\n");
    if (x.body.type == framing::kind::chunked) out += "Transfer-Encoding: chunked\r\n";
    else if (x.head.fields.has(field_id::content_length))
        append_all(out, "Content-Length: ", decimal(x.body.length), "\r\n");
    out += "\r\n";
}

downstream_body choose_downstream(request_context const& x, framing const& answer_body) noexcept {
    bool const unknown = answer_body.type == framing::kind::chunked || answer_body.type == framing::kind::until_close;
    bool const can_chunk = x.head.minor_version == 1;
    return {unknown && can_chunk, unknown && !can_chunk};
}

void append_response_head(std::string& out, response_head const& answer, downstream_body body,
                          request_context const& x) {
    append_all(out, "HTTP/1.1 ", decimal(answer.status), " ", answer.reason, "\r\n");
    kept_lines kept(out);
    for (auto const& one : answer.fields.list)
        if (goes_down(one, !x.hsts.empty())) kept.add(one.line);
    kept.end();
    if (!answer.fields.has(field_id::date)) out += http::date_line();
    bool const has_length = answer.fields.has(field_id::content_length);
    if (body.chunked) out += "Transfer-Encoding: chunked\r\n";
    else if (has_length && answer.status != 204)
        append_all(out, "Content-Length: ", answer.fields.value(field_id::content_length), "\r\n");
    append_gateway_fields(out, x);
    out += "\r\n";
}

void append_gateway_fields(std::string& out, request_context const& x) {
    if (announces_count(x)) {
        auto const& count = *x.count;
        append_all(out, "RateLimit-Policy: \"", count.name, "\";q=", decimal(count.limit),
                   ";w=", decimal(count.window_seconds), "\r\nRateLimit: \"", count.name,
                   "\";r=", decimal(count.remaining), ";t=", decimal(count.seconds_left), "\r\n");
    }
    append_all(out, x.hsts, "X-Content-Type-Options: nosniff\r\nX-Request-Id: ", x.request_id, "\r\n");
    if (!x.keep_alive) out += "Connection: close\r\n";
    else if (x.head.minor_version == 0) out += "Connection: keep-alive\r\n";
}

} // namespace recruiting::gateway
