// Redis servers and Sentinels of a test's own, which it may stop, hang and make fail over.
#pragma once
#include "support/tls_certificates.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace recruiting::test {

/// A port nobody listens on right now.
[[nodiscard]] std::uint16_t free_port();

/// Arguments of a redis-server or a Sentinel with this certificate on a TLS port: --tls-port and the others.
/// authority: of the certificates that it trusts; clients: "yes" when they must have one.
[[nodiscard]] std::vector<std::string> tls_arguments(std::uint16_t port, tls_files const& own,
                                                     std::string const& authority, std::string const& clients = "no");

/// One redis-server in a temporary directory, on a unix socket and, if wanted, a port.
class private_redis {
public:
    explicit private_redis(std::vector<std::string> arguments = {});
    ~private_redis();
    private_redis(private_redis const&) = delete;
    private_redis& operator=(private_redis const&) = delete;

    [[nodiscard]] std::string url() const { return "unix://" + socket(); }
    [[nodiscard]] std::string socket() const { return directory_ + "/socket"; }
    void start(); // after kill(): empty, unless it was told to save
    void restart(std::vector<std::string> arguments);
    void kill();
    void hang();
    void resume();
    /// The reply as one line: text, number, "ERR …", elements with blanks between; "" when there is none.
    std::string say(std::initializer_list<std::string_view> words) const;
    [[nodiscard]] std::vector<std::string> keys(std::string const& pattern) const;
    /// How often a command was called so far.
    [[nodiscard]] int calls(std::string const& command) const;

private:
    std::string directory_;
    std::vector<std::string> arguments_;
    pid_t pid_{-1};
};

/// A master, a replica and three Sentinels, which notice within half a second that the master is gone.
class sentinel_group {
public:
    /// Returns when the Sentinels know each other and the replica. with_tls: all ports that they know of each other
    /// are for TLS, with certificates for 127.0.0.1.
    explicit sentinel_group(bool with_tls = false);
    ~sentinel_group();
    sentinel_group(sentinel_group const&) = delete;
    sentinel_group& operator=(sentinel_group const&) = delete;

    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::string ca_file() const { return authority_.file(); }
    void kill_master();
    /// The master is asked to step down: it stays, as a replica.
    void fail_over() const;
    [[nodiscard]] std::uint16_t master_port() const; // as the first Sentinel says
    [[nodiscard]] std::string say(std::uint16_t port, std::initializer_list<std::string_view> words) const;

private:
    struct process {
        std::uint16_t port{0};
        std::uint16_t plain_port{0}; // for say(); without TLS the same
        pid_t pid{-1};
    };
    void choose_ports(process& one) const;
    [[nodiscard]] std::vector<std::string> port_arguments(process const& one);
    void start_server(process& one, std::uint16_t master);
    void start_sentinel(process& one);
    [[nodiscard]] bool converged() const;

    bool const with_tls_;
    certificate_authority authority_;
    std::string directory_;
    std::array<process, 2> servers_;
    std::array<process, 3> sentinels_;
};

} // namespace recruiting::test
