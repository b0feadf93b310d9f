// One thread's view of one service: which of its addresses gets a request, connections kept alive for each, and a bound
// on the requests in progress. The directory, kept by one thread's monitor, lists the addresses.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "crypto/stream.hpp"
#include "crypto/tls_client.hpp"
#include "gateway/upstream/directory.hpp"
#include "gateway/upstream/policy.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace recruiting::gateway {

struct upstream_connection {
    upstream_connection(stream_watch& watch, std::string_view to) : io(watch), host(to) {}
    stream io;
    std::string_view host; // of the address it leads to
    byte_buffer buffer;
    coarse_clock::time_point idle_since{};
    bool reused{false};
};

/// One address, as this thread uses it.
struct upstream_address : candidate {
    upstream_address(std::uint32_t number, std::shared_ptr<upstream_target> t, ejection_policy const& policy)
        : candidate{number}, target(std::move(t)), health(policy) {}
    std::shared_ptr<upstream_target> const target;
    address_health health;
    std::vector<std::unique_ptr<upstream_connection>> idle; // the last used at the end
    bool gone{false};                                       // the resolver no longer returns it
};

class upstream {
public:
    using handle = std::unique_ptr<upstream_connection>;

    /// A request's use of an address: it counts as in progress there.
    class lease {
    public:
        lease(upstream& of, upstream_address* at) noexcept;
        ~lease();
        lease(lease const&) = delete;
        lease& operator=(lease const&) = delete;
        [[nodiscard]] explicit operator bool() const noexcept { return at_ != nullptr; }
        [[nodiscard]] std::uint32_t id() const noexcept { return at_->id; }
        [[nodiscard]] std::string_view host() const noexcept { return at_->target->host; }

        /// A connection that lay idle, the last used first; nullptr: none. checked: it was open a moment ago (one more
        /// system call, for requests that can't be repeated).
        [[nodiscard]] handle take_idle(bool checked);
        /// A new connection; nullptr: there is nobody, which counts as a failure.
        [[nodiscard]] task<handle> connect();
        /// For the next request: nothing of an answer may be left in it.
        void give_back(handle connection);
        void note_success() noexcept;
        /// Lost before an answer. (connect() notes its own failures.)
        void note_loss() { note_failure(true); }

    private:
        void note_failure(bool reached);

        upstream& of_;
        upstream_address* at_;
        bool trial_;
    };

    /// tls: nullptr, connections to services are not encrypted.
    upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_directory& directory,
             upstream_policy const& policy, upstream_metrics& counters, tls_client const* tls);
    ~upstream() { stop(); }
    upstream(upstream const&) = delete;
    upstream& operator=(upstream const&) = delete;

    /// Takes a permit for one more request in progress; false: call wait(). Every permit taken is returned by leave().
    [[nodiscard]] bool enter() noexcept;
    /// Waits for a permit; false: too many wait already, or it took too long.
    [[nodiscard]] task<bool> wait();
    void leave();
    /// The requests that wait only because every permit is taken.
    [[nodiscard]] std::size_t permits_wanted() const noexcept {
        return in_flight_ < policy_.requests ? 0 : line_.size();
    }
    /// The address to try next; none: there is none worth it.
    [[nodiscard]] lease next(tried_addresses const& tried);

    /// Before the ticker goes: closes idle connections and ends every wait.
    void stop() noexcept;
    [[nodiscard]] bool is_up() const { return directory_.is_up(); }
    [[nodiscard]] upstream_policy const& policy() const noexcept { return policy_; }
    [[nodiscard]] upstream_metrics& counters() noexcept { return metrics_; }

private:
    struct waiting_request {
        completion<bool> resume;
        coarse_clock::time_point until;
    };
    void on_tick(coarse_clock::time_point now);
    void refresh();
    void evaluate(upstream_address& one);
    void call_waiting();
    void answer_first(bool permitted);
    void publish() noexcept;
    [[nodiscard]] bool has_capacity() const noexcept;

    asio::io_context& context_;
    ticker& clock_;
    stream_watch& watch_;
    upstream_directory& directory_;
    upstream_policy const& policy_;
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

/// Keeps the directory until what it returns is dropped: once a process, for all threads. directory, registry and tls
/// outlive the io_context.
[[nodiscard]] std::shared_ptr<void> start_monitor(asio::io_context& context, ticker& clock, std::string service,
                                                  upstream_directory& directory, upstream_policy const& policy,
                                                  metrics::registry& registry, tls_client const* tls);

/// "HTTP/1.1 200 OK…" is ready, another status unready; nullopt: there is no status yet. Pure.
[[nodiscard]] std::optional<health_state> read_check_answer(std::string_view received) noexcept;

} // namespace recruiting::gateway
