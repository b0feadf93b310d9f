// The phases of a request, as a list. session.cpp runs them; a phase's functions are in the file named beside it:
//
//   accept      phases/accept.cpp       a connection, within the limits
//   handshake   phases/accept.cpp       the PROXY protocol's header, TLS
//   head        phases/head.cpp         bytes become a request of one meaning (client_request.cpp)
//   client      client_request.cpp      which client is counted, which trace the request belongs to
//   count       phases/count.cpp        the request's position among its client's in this window (libs/rate_limit)
//   authorize   phases/authorize.cpp    may it go on, to its service, or does it end at the gateway?
//   answer      phases/answer.cpp       the gateway's own answers (answers/)
//   forward     phases/forward.cpp      to an address of the service, again when that is safe (forwarding.hpp)
//   relay       phases/relay.cpp        both bodies (http1/relay.cpp), within forward
//   log         phases/log.cpp          counters, the access log's line, spans
//
// Functions that take a session do I/O; the others are pure.
#pragma once
#include "async/task.hpp"
#include "gateway/forwarding.hpp"
#include "gateway/settings.hpp"
#include "telemetry/span.hpp"

namespace recruiting::gateway {

struct session;
struct upstream_connection;
class upstream;

// handshake. false: the connection is to be closed without a word.
[[nodiscard]] task<bool> perform_handshake(session& s);

// head
enum class head_outcome { request, refused, ended };
void begin_request(session& s) noexcept;
[[nodiscard]] task<head_outcome> read_head(session& s, refusal& why);

// count
/// Everything under a prefix counts towards it, but a browser's preflight of the public API.
[[nodiscard]] bool is_counted(client_request const& request) noexcept;
[[nodiscard]] api_error over_limit(decision const& count);
/// Is it one too many of all that its client sent, whatever for?
[[nodiscard]] std::optional<refusal> count_in_total(session& s);
/// false: count_in_batch must follow.
[[nodiscard]] bool count_at_once(session& s);
[[nodiscard]] task<rate_limit::count> count_in_batch(session& s);
void take_count(session& s, rate_limit::count const& counted);

// authorize
/// Is it a method that the gateway forwards (allowed_methods)? Any other is text that a client chooses.
[[nodiscard]] bool is_forwarded(std::string_view method) noexcept;
/// May this request go on? redirects: it came to the listener that only redirects.
[[nodiscard]] std::optional<refusal> authorize(session const& s);
/// May it go to its service?
[[nodiscard]] std::optional<refusal> admit(client_request const& request, gateway_settings const& settings);
enum class destination { redirect, home, gateway, service };
[[nodiscard]] destination route_of(session const& s) noexcept;
/// Is this an OPTIONS request that ends at the gateway, because it asks about the server or may go no further?
[[nodiscard]] bool ends_here(client_request const& request) noexcept;
/// Is it a page at /, which leads to what the operator has set?
[[nodiscard]] bool leads_home(client_request const& request, gateway_settings const& settings) noexcept;

// answer
/// The gateway's own answers. false: write_rest must follow.
[[nodiscard]] bool refuse_at_once(session& s, refusal const& why);
[[nodiscard]] bool answer_locally(session& s, destination where);
[[nodiscard]] task<void> write_rest(session& s);
/// Reads on after the last answer: what the client still sends would reset the connection and could cost it the answer
/// (RFC 9112 section 9.6).
[[nodiscard]] task<void> linger(session& s);

// forward
[[nodiscard]] task<void> forward(session& s);

// relay, within forward
/// Is all of the body here, or was it read?
[[nodiscard]] bool has_whole_body(session const& s) noexcept;
/// A small body that came with the head need not end the connection when its request is refused.
void take_body_from_buffer(session& s) noexcept;
/// Tells a client that waits for it to send its body (RFC 9110 section 10.1.1). false: the client is gone.
[[nodiscard]] bool tell_to_continue(session& s);
/// false: the client is gone.
[[nodiscard]] bool start_upload(session& s, upstream_connection& connection);
/// Waits until nothing touches the client's stream but the session. An upload in progress is ended.
[[nodiscard]] task<void> end_upload(session& s, upstream_connection& connection);
/// malformed: what came of the body with its head is not HTTP, and the client got nothing of the answer.
enum class relay_start { complete, incomplete, malformed };
/// The answer's head is complete: relays it and its body until the service has done its part, and notes the outcome in
/// s.request and s.reusable. incomplete: relay_answer must follow.
[[nodiscard]] relay_start relay_answer_at_once(session& s, upstream_connection& connection);
[[nodiscard]] task<void> relay_answer(session& s, upstream_connection& connection);
/// While there is a download: the client has yet to take its last piece. It needs neither connection nor permit.
[[nodiscard]] task<void> finish_answer(session& s);
/// How long the service may take.
[[nodiscard]] std::chrono::milliseconds response_limit(session const& s) noexcept;
[[nodiscard]] upstream& service_of_request(session& s) noexcept;

// log
/// The line of a request that was answered (or not: status 0), with its newline. Never a query, a credential or a
/// token.
void append_access_line(std::string& out, client_request const& request, timestamp now,
                        std::chrono::microseconds duration);
void log_request(session& s);
// What is recorded of a request that is sampled (proto-docs/tracing.md): nothing of its path, its query, its fields or
// its client. Names are OpenTelemetry's semantic conventions for HTTP and Redis.
void begin_spans(session& s);
void begin_count_span(session& s);
void begin_call_span(session& s, std::string_view address, bool again);
void end_call_span(session& s, call_result const& what, bool connected);
void end_spans(session& s);

} // namespace recruiting::gateway
