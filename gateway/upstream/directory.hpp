// The addresses of one service as the whole process knows them: one thread's monitor writes, every thread's upstream
// reads, a request only the epoch.
#pragma once
#include "async/socket.hpp"
#include "core/settings.hpp"
#include "telemetry/metrics.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// Where a service's instances are, as an operator writes it.
struct service_address {
    endpoint where;               // a host name stands for every address it resolves to
    std::uint16_t health_port{0}; // where its readiness is checked, of the same host; 0: it is ready when it can be
                                  // connected to
    bool operator==(service_address const&) const = default;
};
using service_addresses = std::vector<service_address>;

/// "10.0.0.1:8081,[2001:db8::1]:8081,auth.internal:8081,unix:/run/auth.sock". Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_addresses(std::string_view text, service_addresses& out);
/// ":9081" for every address, or a port for each in the same order: ":9081,:9083". "" for none.
[[nodiscard]] std::optional<std::string> read_health_ports(std::string_view text, service_addresses& out);
/// The text that read_addresses reads.
[[nodiscard]] std::string to_string(service_addresses const& list);

/// What one health check found, or what all so far amount to; unknown: there was none yet.
enum class health_state : std::uint8_t { unknown, ready, unready, refused, silent };
[[nodiscard]] inline bool answers(health_state state) noexcept { return state <= health_state::unready; }

/// A check without an answer may be a lost packet or a full processor: two in a row make the address silent. in_row
/// counts them.
[[nodiscard]] inline health_state evaluate(health_state before, health_state found, unsigned& in_row) noexcept {
    in_row = found == health_state::silent ? in_row + 1 : 0;
    return in_row == 1 ? before : found;
}

struct upstream_target {
    std::size_t configured{0}; // whose entry of the setting it comes from
    socket_address where;
    std::optional<socket_address> health; // speaks HTTP; nullopt: connecting is the check
    std::string host;                     // the Host field's value for requests that have none
    std::string name;                     // whose certificate it must show; empty: the setting names it
    std::atomic<health_state> checked{health_state::unknown};
    // The monitor's own.
    bool being_checked{false};
    unsigned silent_in_row{0};
};
using target_list = std::vector<std::shared_ptr<upstream_target>>;

class upstream_directory {
public:
    /// What needs no resolving is there at once.
    explicit upstream_directory(service_addresses configured);

    [[nodiscard]] service_addresses const& configured() const noexcept { return configured_; }
    /// Changes with the list and with the result of any health check.
    [[nodiscard]] std::uint32_t epoch() const noexcept { return epoch_.load(std::memory_order_acquire); }
    [[nodiscard]] target_list targets() const;
    /// Has every name been asked for once? Until then an empty list means: wait.
    [[nodiscard]] bool is_resolved() const;

    /// Does any address answer its health checks, or is it still to be asked?
    [[nodiscard]] bool is_up() const;

    /// The addresses a name has now; those it had already stay as they are. Empty: no answer, the last known remain.
    void replace(std::size_t configured, std::vector<socket_address> const& found);
    void note_state(upstream_target& target, health_state found) noexcept;

    /// Gauges of what the health checks found. Labels come from the settings only: they do not grow with a name's
    /// addresses.
    void declare_metrics(metrics::registry& registry, std::string const& service) const;

private:
    [[nodiscard]] std::shared_ptr<upstream_target> make_target(std::size_t configured, socket_address const& at) const;
    void next_epoch() noexcept { epoch_.fetch_add(1, std::memory_order_acq_rel); }

    service_addresses const configured_;
    mutable std::mutex mutex_;
    target_list targets_;
    std::set<std::size_t> unresolved_; // names, by their index in configured_
    std::atomic<std::uint32_t> epoch_{1};
};

/// An address that needs no resolving; nullopt for names.
[[nodiscard]] std::optional<socket_address> literal_address(endpoint const& where);

} // namespace recruiting::gateway
