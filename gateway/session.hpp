// A client's connection: the state that the phases (phases.hpp) of its requests work on, and the loop that runs them.
#pragma once
#include "gateway/client_request.hpp"
#include "gateway/http1/relay.hpp"
#include "gateway/worker.hpp"
#include "http/message_parser.hpp"

#include <memory>

namespace recruiting::gateway {

struct session;

/// Sends the rest of a request's body while its answer is awaited: services may answer before they read it all.
struct upload {
    upload(session& s, stream& to);
    http::request_parser parser;
    relay_job job;
    relay_result result{relay_result::done};
    bool finished{false};
    bool abandoned{false}; // the session ended it: a source that is closed then is not the client's doing
    completion<bool> waiter{};
};

struct session {
    session(stream_socket connected, ip_address from, listener_kind how, std::shared_ptr<gateway::worker> of);
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

    /// Request after request, until one side ends the connection.
    task<void> serve_requests();
    /// Has its client not too many connections already? Called once the client is known.
    [[nodiscard]] bool may_stay();
    void close() noexcept { client.close(); }
    /// Ends one that is idle, unless a request is there to be read.
    void end_if_quiet() noexcept;
    /// Ends one that has not sent a byte of its first request.
    void end_if_unused() noexcept;
    /// Ends one that is unfinished or idle, for another one to be accepted or served.
    void evict() noexcept;
    void list_in(std::list<session*>& other) noexcept;
    /// A body of the request waits for the client, or no longer does.
    void note_client_wait(bool begins) noexcept;
    /// The request is done at its service: its permits serve another one.
    void return_permits();
    /// The request's storage comes from the thread, and goes back when the connection waits for its next request.
    void borrow_storage() noexcept;
    void return_storage();

    std::shared_ptr<gateway::worker> const worker;
    stream client;
    ip_address peer;
    listener_kind const kind;
    byte_buffer in;                 // received and not used
    bool counted_connection{false}; // it is one of its client's
    std::list<session*>* list;      // of the worker's
    std::list<session*>::iterator listed;
    coarse_clock::time_point listed_since{};
    bool unused{false};       // waits for the first byte of its first request
    bool served{false};       // a request at least
    unsigned without_wait{0}; // requests since it last waited for one

    // State of the request in progress.
    client_request request;
    http::head_scanner scanner;
    coarse_clock::time_point head_by{};
    bool may_skip_line{true};
    bool body_taken{true}; // its body is read to its end
    tracing::span serving; // the request, when it is recorded
    tracing::span calling; // what it waits for: Redis, or a service
    std::string out;       // the head being sent to one side, storage to reuse
    gather unsent;         // of out, and of a request's body behind it
    http::response_head answer;
    std::optional<http::response_parser> answer_parser;
    std::optional<relay_job> download;   // here, not in a coroutine: their memory is recycled only while it is small
    std::optional<relay_result> relayed; // what became of the download, once that is known
    std::shared_ptr<upload> uploading;
    bool reusable{false};            // the service's connection, after the answer
    upstream* permitted_by{nullptr}; // whose permit the request holds
    bool counted_upload{false};      // its body is one of the client's uploads
    int client_waits{0};             // bodies that wait for the client
    byte_buffer unread;              // the end of an answer whose client is slower than its service
};

} // namespace recruiting::gateway
