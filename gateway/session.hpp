// One connection of a client: request after request, each through the phases head, client, rate limit, route, forward,
// relay, log. Decisions are made in phases.hpp; here they are carried out.
#pragma once
#include "core/error.hpp"
#include "gateway/http1/relay.hpp"
#include "gateway/http1/request_parser.hpp"
#include "gateway/http1/response_parser.hpp"
#include "gateway/phases.hpp"
#include "gateway/request_context.hpp"
#include "gateway/worker.hpp"

#include <memory>

namespace recruiting::gateway {

/// Sends the rest of a request's body while its answer is awaited: services may answer before they read it all.
struct upload {
    upload(request_context const& x, worker const& by, stream& client, byte_buffer& in, stream& to, std::string head);
    request_parser parser;
    relay_job job;
    relay_result result{relay_result::done};
    bool finished{false};
    completion<bool> waiter{};
};

class session final : public client_connection {
public:
    session(stream_socket connected, ip_address peer, listener_kind kind, std::shared_ptr<worker> of);
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

    task<void> run();
    /// Before run: has its client not too many connections already?
    [[nodiscard]] bool may_stay();
    void close() noexcept override { client_.close(); }
    void end_if_quiet() noexcept override;
    void end_if_unused() noexcept override;
    void evict() noexcept override;

private:
    enum class head_outcome { request, refused, ended };
    enum class attempt_outcome { answered, refused, client_gone, lost };
    enum class answer_state { complete, incomplete, broken };

    // opening.cpp
    task<bool> open();
    task<bool> read_proxy_header(coarse_clock::time_point until);
    task<bool> start_tls(coarse_clock::time_point until);
    // session.cpp
    void begin_request() noexcept;
    [[nodiscard]] std::optional<head_outcome> take_head(refusal& why);
    task<head_outcome> read_head(refusal& why);
    [[nodiscard]] std::chrono::milliseconds idle_limit() const noexcept;
    [[nodiscard]] std::optional<refusal> judge_total();
    [[nodiscard]] std::optional<refusal> judge_request() const;
    [[nodiscard]] bool refuse_at_once(api_error const& error, bool close);
    [[nodiscard]] bool answer_options_at_once();
    void begin_own_answer(bool close);
    [[nodiscard]] bool send_own_answer() noexcept;
    [[nodiscard]] bool redirect_at_once();
    void note_unsent() noexcept;
    task<void> refuse(api_error error, bool close);
    task<void> write_rest();
    task<void> linger();
    void take_body_from_buffer() noexcept;
    void finish();
    void list_in(std::list<client_connection*>& list) noexcept;
    task<void> give_others_a_turn();
    // forward.cpp
    task<void> forward();
    attempt_outcome refuse_for_want(upstream& of, loss const& what, api_error& why);
    void note_outcome(upstream::lease& where, upstream::handle connection, attempt_outcome outcome, loss const& what,
                      tried_addresses& tried);
    attempt_outcome judge_loss(upstream& of, loss& what, api_error& why);
    task<attempt_outcome> attempt(upstream_connection& connection, loss& what, api_error& why);
    [[nodiscard]] bool send_request(upstream_connection& connection, loss& what);
    [[nodiscard]] bool start_upload(upstream_connection& connection);
    [[nodiscard]] answer_state take_answer(upstream_connection& connection, head_gate& gate, int& interim);
    void begin_answer(upstream_connection& connection);
    void end_answer(upstream_connection& connection, relay_result result);
    [[nodiscard]] attempt_outcome unanswered(loss& what, api_error& why);
    task<void> end_upload(upstream_connection& connection);
    [[nodiscard]] upstream& service_of_request() noexcept;
    [[nodiscard]] std::chrono::milliseconds answer_limit() const noexcept;
    // spans.cpp: of requests that are recorded
    void begin_spans();
    void begin_count_span();
    void begin_call_span(std::string_view address, std::int64_t resends);
    void end_call_span(attempt_outcome outcome, loss const& what, bool connected);
    void end_spans();

    std::shared_ptr<worker> owner_;
    worker& worker_;
    stream client_;
    ip_address peer_;
    listener_kind const kind_;
    byte_buffer in_;
    head_gate gate_;
    request_context x_;
    tracing::span serving_; // the request, when it is recorded
    tracing::span calling_; // what it waits for: Redis, or a service
    std::string out_;
    gather unsent_; // of out_, and of a request's body behind it
    response_head answer_;
    std::optional<response_parser> answer_parser_;
    std::optional<relay_job> download_; // here, not in a coroutine: their memory is recycled only while it is small
    std::shared_ptr<upload> upload_;
    connection_permit permit_;
    std::list<client_connection*>* list_; // of the worker's
    std::list<client_connection*>::iterator listed_;
    bool body_taken_{true};    // the request's body is read to its end
    bool unused_{false};       // waits for the first byte of its first request
    bool served_{false};       // a request at least
    unsigned without_wait_{0}; // requests since it last waited for one
    bool may_skip_line_{true};
    coarse_clock::time_point head_by_{};
    bool reusable_{false}; // the service's connection, after the answer
};

} // namespace recruiting::gateway
