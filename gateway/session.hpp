// One connection of a client: request after request, each through the phases head, client, ceiling, route, forward,
// relay, log. Decisions are made in phases.hpp; here they are carried out.
#pragma once
#include "core/error.hpp"
#include "gateway/exchange.hpp"
#include "gateway/phases.hpp"
#include "gateway/relay.hpp"
#include "gateway/worker.hpp"

#include <memory>

namespace recruiting::gateway {

/// Sends the rest of a request's body while its answer is awaited: services may answer before they read it all.
struct upload {
    relay_job job;
    relay_result result{relay_result::done};
    bool finished{false};
    completion<bool> waiter{};
};

class session {
public:
    session(socket_type socket, ip_address peer, std::shared_ptr<worker> of);
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

    task<void> run();
    /// Ends after the answer under way; at once when there is none.
    void drain();
    void close() noexcept { client_.close(); }

private:
    enum class head_outcome { request, refused, ended };
    enum class attempt_outcome { answered, refused, client_gone, lost };

    // session.cpp
    task<head_outcome> read_head(refusal& why);
    task<void> serve();
    task<void> refuse(api_error error, bool close);
    task<void> linger();
    void take_body_from_buffer() noexcept;
    void finish();
    // forward.cpp
    task<void> forward();
    task<attempt_outcome> attempt(upstream_connection& connection, loss& what, api_error& why);
    task<bool> send_request(upstream_connection& connection, loss& what);
    task<bool> read_answer(upstream_connection& connection, loss& what);
    task<void> relay_answer(upstream_connection& connection, framing answer_body);
    task<void> end_upload(upstream_connection& connection);
    [[nodiscard]] upstream& service_of_request() noexcept;
    [[nodiscard]] std::chrono::milliseconds answer_limit() const noexcept;

    std::shared_ptr<worker> owner_;
    worker& worker_;
    stream client_;
    ip_address peer_;
    byte_buffer in_;
    head_finder finder_;
    exchange x_;
    std::string out_;
    response_head answer_;
    std::shared_ptr<upload> upload_;
    std::list<session*>::iterator listed_;
    bool body_taken_{true}; // the request's body is read to its end
    bool idle_{true};
    bool reusable_{false}; // the service's connection, after the answer
};

} // namespace recruiting::gateway
