#include "gateway/forwarded_head.hpp"

#include "core/text.hpp"
#include "http/message.hpp"

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

// Fields of a client that no service gets: the gateway writes its own, or none.
constexpr auto kept_from_services =
    http::hop_by_hop_fields |
    http::field_set(field_id::content_length, field_id::expect, field_id::forwarded, field_id::host,
                    field_id::traceparent, field_id::tracestate, field_id::x_claimed, field_id::x_forwarded_for,
                    field_id::x_forwarded_other, field_id::x_forwarded_proto, field_id::x_real_ip,
                    field_id::x_request_id);
constexpr auto credentials = http::field_set(field_id::authorization, field_id::cookie);
// Fields of a service that no client gets.
constexpr auto kept_from_clients =
    http::hop_by_hop_fields |
    http::field_set(field_id::content_length, field_id::x_content_type_options, field_id::x_request_id);

void append_fields(std::string& out, http::head_fields const& fields, std::uint64_t dropped) {
    kept_lines kept(out);
    for (auto const& one : fields.list)
        if (!one.dropped && !http::is_in(one.id, dropped)) kept.add(one.line);
    kept.end();
}

// The client as the gateway knows it: the older fields and RFC 7239's. A port in a host needs quotes.
void append_client_fields(std::string& out, client_request const& request, std::string_view host) {
    std::string_view const scheme = request.https ? "https" : "http";
    std::string client;
    append_ip(client, request.client);
    append_all(out, "X-Forwarded-For: ", client, "\r\nX-Forwarded-Proto: ", scheme, "\r\nX-Forwarded-Host: ", host);
    bool const v4 = request.client.is_v4();
    append_all(out, "\r\nForwarded: for=", v4 ? "" : "\"[", client, v4 ? "" : "]\"", ";host=\"", host,
               "\";proto=", scheme, "\r\n");
}

// W3C Trace Context section 3.3: all its fields are one list, passed on whole or, malformed or too long, not at all.
bool has_good_tracestate(http::head_fields const& fields) noexcept {
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
void append_trace_fields(std::string& out, client_request const& request) {
    auto const& fields = request.head.fields;
    append_all(out, "X-Request-Id: ", request.request_id, "\r\ntraceparent: ");
    tracing::append_traceparent(out, request.call);
    out += "\r\n";
    if (!request.caller || !fields.has(field_id::tracestate) || !has_good_tracestate(fields)) return;
    for (auto const& one : fields.list)
        if (one.id == field_id::tracestate) out.append(one.line);
}

// A shadow rate limit holds nobody back, so it announces nothing either.
bool announces_count(client_request const& request) noexcept { return request.count && !request.count->shadow; }

} // namespace

void append_request_head(std::string& out, client_request const& request, std::string_view to) {
    auto const host = request.host.empty() ? to : request.host;
    append_all(out, request.head.method, " ", request.where.path, request.where.query, " HTTP/1.1\r\nHost: ", host,
               "\r\n");
    append_fields(out, request.head.fields, kept_from_services | (request.to->takes_credentials() ? 0 : credentials));
    append_client_fields(out, request, host);
    append_trace_fields(out, request);
    append_all(out, request.head.minor_version == 0 ? "Via: 1.0" : "Via: 1.1", " recruiting-gateway\r\n");
    if (request.body.type == framing::kind::chunked) out += "Transfer-Encoding: chunked\r\n";
    else if (request.head.fields.has(field_id::content_length))
        append_all(out, "Content-Length: ", decimal(request.body.length), "\r\n");
    out += "\r\n";
}

downstream_body choose_downstream(client_request const& request, framing const& answer_body) noexcept {
    bool const unknown = answer_body.type == framing::kind::chunked || answer_body.type == framing::kind::until_close;
    bool const can_chunk = request.head.minor_version == 1;
    return {unknown && can_chunk, unknown && !can_chunk};
}

void append_response_head(std::string& out, http::response_head const& answer, downstream_body body,
                          client_request const& request) {
    append_all(out, "HTTP/1.1 ", decimal(answer.status), " ", answer.reason, "\r\n");
    append_fields(out, answer.fields,
                  kept_from_clients |
                      (request.hsts.empty() ? 0 : http::field_set(field_id::strict_transport_security)));
    if (!answer.fields.has(field_id::date)) out += http::date_line();
    bool const has_length = answer.fields.has(field_id::content_length);
    if (body.chunked) out += "Transfer-Encoding: chunked\r\n";
    else if (has_length && answer.status != 204)
        append_all(out, "Content-Length: ", answer.fields.value(field_id::content_length), "\r\n");
    append_gateway_fields(out, request);
    out += "\r\n";
}

void append_gateway_fields(std::string& out, client_request const& request) {
    if (announces_count(request)) {
        auto const& count = *request.count;
        append_all(out, "RateLimit-Policy: \"", count.name, "\";q=", decimal(count.limit),
                   ";w=", decimal(count.window_seconds), "\r\nRateLimit: \"", count.name,
                   "\";r=", decimal(count.remaining), ";t=", decimal(count.seconds_left), "\r\n");
    }
    append_all(out, request.hsts, "X-Content-Type-Options: nosniff\r\nX-Request-Id: ", request.request_id, "\r\n");
    if (!request.keep_alive) out += "Connection: close\r\n";
    else if (request.head.minor_version == 0) out += "Connection: keep-alive\r\n";
}

} // namespace recruiting::gateway
