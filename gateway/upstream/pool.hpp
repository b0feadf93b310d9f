// One thread's view of one service: which of its addresses gets a request, connections kept alive for each, and a bound
// on the requests in progress. The directory, kept by one thread's monitor, lists the addresses.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "crypto/stream.hpp"
#include "crypto/tls_client.hpp"
#include "gateway/upstream/directory.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace recruiting::gateway {

struct upstream_metrics {
    metrics::registry& in;
    std::string const label; // upstream="…"
    metrics::counter& connects = in.add_counter("recruiting_gateway_upstream_connects_total",
                                                "Connections that were opened to a service.", label);
    metrics::counter& connect_failures = in.add_counter("recruiting_gateway_upstream_connect_failures_total",
                                                        "Connection attempts to a service that failed.", label);
    metrics::counter& requests_lost =
        in.add_counter("recruiting_gateway_upstream_requests_lost_total",
                       "Requests whose connection to the service ended before the response was complete.", label);
    metrics::counter& retries =
        in.add_counter("recruiting_gateway_upstream_retries_total",
                       "Requests that were retried on another address or a new connection.", label);
    metrics::counter& rejected_down = add_rejected("down");
    metrics::counter& rejected_full = add_rejected("queue_full");
    metrics::counter& rejected_late = add_rejected("queue_timeout");
    metrics::gauge& in_flight = in.add_gauge("recruiting_gateway_upstream_requests_in_flight",
                                             "Requests that the service is processing.", label);
    metrics::gauge& waiting = in.add_gauge("recruiting_gateway_upstream_requests_waiting",
                                           "Requests that wait in the queue of the gateway.", label);

    [[nodiscard]] metrics::counter& add_rejected(std::string const& reason) const {
        return in.add_counter("recruiting_gateway_upstream_rejected_total",
                              "Requests answered 503 without being sent to their service.",
                              label + ",reason=\"" + reason + '"');
    }
};

struct upstream_connection {
    upstream_connection(stream_watch& watch, std::string_view to) : io(watch), host(to) {}
    stream io;
    std::string_view host; // of the address it leads to
    byte_buffer buffer;
    coarse_clock::time_point idle_since{};
    bool reused{false};
};

/// A failed connect, of a request or a health check, opens an address's circuit: requests go elsewhere, or are answered
/// 503 at once. While it is open, one request per pause tries the address; a connect that succeeds, or a health check
/// that finds it ready again, closes the circuit. A state machine without I/O.
class circuit {
public:
    using time_point = coarse_clock::time_point;
    static constexpr std::chrono::milliseconds pause{250}; // half of a health check's interval

    void note_failure(time_point now) noexcept { try_from_ = now + pause; }
    void close() noexcept { try_from_.reset(); }
    [[nodiscard]] bool allows(time_point now) const noexcept { return !try_from_ || now >= *try_from_; }
    /// A request that is allowed is about to connect.
    void note_try(time_point now) noexcept {
        if (try_from_) note_failure(now);
    }

private:
    std::optional<time_point> try_from_; // present: open, and this is when a request may try
};

struct candidate {
    std::uint32_t id{0};
    health_state state{health_state::unknown};
    std::uint32_t in_flight{0};
    gateway::circuit circuit{};
};

/// The address that the request's first attempt failed at, if there was one: the second goes to another one.
struct tried_addresses {
    std::uint32_t id{0};
    bool was_stale{false}; // only a connection that lay idle was lost: the same address is better than none
};

/// The address with the fewest requests in progress: of those that are ready or not yet checked; or else of those that
/// answer that they are not, because a service says itself what it lacks; or else of those that refuse connections,
/// which costs nothing. Not of silent ones, which would cost a timeout. nullptr: there is none. random: breaks ties.
/// Pure.
[[nodiscard]] candidate* choose(std::span<candidate* const> all, tried_addresses const& tried,
                                coarse_clock::time_point now, std::uint32_t random) noexcept;

/// One address, as this thread uses it.
struct upstream_address : candidate {
    upstream_address(std::uint32_t number, std::shared_ptr<upstream_target> t)
        : candidate{number}, target(std::move(t)) {}
    std::shared_ptr<upstream_target> const target;
    std::vector<std::unique_ptr<upstream_connection>> idle; // the last used at the end
    bool gone{false};                                       // the resolver no longer returns it
};

class upstream {
public:
    using handle = std::unique_ptr<upstream_connection>;

    /// A request's use of an address: it counts as in progress there.
    class lease {
    public:
        lease(upstream& of, upstream_address* at) noexcept : of_(of), at_(at) {
            if (at_ != nullptr) ++at_->in_flight;
        }
        ~lease() {
            if (at_ != nullptr) --at_->in_flight;
        }
        lease(lease const&) = delete;
        lease& operator=(lease const&) = delete;
        [[nodiscard]] explicit operator bool() const noexcept { return at_ != nullptr; }
        [[nodiscard]] std::uint32_t id() const noexcept { return at_->id; }
        [[nodiscard]] std::string_view host() const noexcept { return at_->target->host; }

        /// A connection that lay idle, the last used first; nullptr: none. checked: it was open a moment ago (one more
        /// system call, for requests that can't be repeated).
        [[nodiscard]] handle take_idle(bool checked);
        /// A new connection; nullptr: there is none to be had.
        [[nodiscard]] task<handle> connect();
        /// For the next request: nothing of an answer may be left in it.
        void give_back(handle connection);

    private:
        upstream& of_;
        upstream_address* at_;
    };

    /// requests: in progress at most; as many again wait. tls: nullptr, connections to services are not encrypted.
    upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_directory& directory,
             std::int64_t requests, upstream_metrics& counters, tls_client const* tls);
    ~upstream() { stop(); }
    upstream(upstream const&) = delete;
    upstream& operator=(upstream const&) = delete;

    /// Takes a permit for one more request in progress; false: call wait(). Every permit taken is returned by leave().
    [[nodiscard]] bool enter() noexcept;
    /// Waits for a permit; false: too many wait already, or it took too long.
    [[nodiscard]] task<bool> wait();
    void leave();
    /// The requests that wait only because every permit is taken.
    [[nodiscard]] std::size_t permits_wanted() const noexcept { return in_flight_ < requests_ ? 0 : line_.size(); }
    /// The address to try next; none: there is none worth it.
    [[nodiscard]] lease next(tried_addresses const& tried);

    /// Before the ticker goes: closes idle connections and ends every wait.
    void stop() noexcept;
    [[nodiscard]] bool is_up() const { return directory_.is_up(); }
    [[nodiscard]] upstream_metrics& counters() noexcept { return metrics_; }

private:
    struct waiting_request {
        completion<bool> resume;
        coarse_clock::time_point until;
    };
    void on_tick(coarse_clock::time_point now);
    void refresh();
    void call_waiting();
    void answer_first(bool permitted);
    void publish() noexcept;
    [[nodiscard]] bool has_capacity() const noexcept;

    asio::io_context& context_;
    ticker& clock_;
    stream_watch& watch_;
    upstream_directory& directory_;
    std::int64_t const requests_;
    upstream_metrics& metrics_;
    tls_client const* const tls_;
    ticker::subscription subscription_;
    std::vector<std::unique_ptr<upstream_address>> addresses_; // those that are gone until nothing uses them
    std::vector<candidate*> candidates_;                       // those there are
    std::deque<waiting_request> line_; // all wait equally long: the first is always the first to be late
    std::int64_t in_flight_{0};
    std::int64_t reported_in_flight_{0};
    std::int64_t reported_waiting_{0};
    std::uint32_t seen_epoch_{0};
    std::uint32_t next_id_{1};
    std::minstd_rand random_{std::random_device{}()};
    bool stopped_{false};
};

/// Connects within the limit, with TLS unless tls is nullptr. A handshake that fails counts as refused.
[[nodiscard]] task<connect_result> connect_to(std::shared_ptr<upstream_target> target, stream& connection,
                                              tls_client const* tls, std::chrono::milliseconds limit);

/// Logs why the handshake failed of a connection that connect_to did not make, if it came to a handshake.
void log_tls_failure(upstream_target const& target, stream const& connection);

/// Keeps the directory until what it returns is dropped: once a process, for all threads. directory, registry and tls
/// outlive the io_context.
[[nodiscard]] std::shared_ptr<void> start_monitor(asio::io_context& context, ticker& clock, std::string service,
                                                  upstream_directory& directory, metrics::registry& registry,
                                                  tls_client const* tls);

/// "HTTP/1.1 200 OK…" is ready, another status unready; nullopt: there is no status yet. Pure.
[[nodiscard]] std::optional<health_state> read_check_answer(std::string_view received) noexcept;

} // namespace recruiting::gateway
