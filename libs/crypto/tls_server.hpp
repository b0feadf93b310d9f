// The server's side of TLS: certificates chosen by name, tickets, ALPN. One object serves all threads; reload() puts
// new files in place while connections made with the old ones go on.
#pragma once
#include "core/time.hpp"
#include "crypto/tls_session.hpp"
#include "crypto/tls_tickets.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

// Which of several certificates a client gets for the name it asks for (SNI, RFC 6066 section 3). Pure.
class certificate_names {
public:
    /// name: as in a certificate, "www.example.org", "*.example.org" or an address. What was added first keeps its
    /// name.
    void add(std::string_view name, std::size_t certificate);
    /// An exact name goes before a wildcard, which stands for exactly one label (RFC 9525 section 6.3). nullopt: none.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

private:
    std::map<std::string, std::size_t, std::less<>> names_;
};

/// PEM files: a certificate with its chain, and its private key.
struct tls_files {
    std::string certificates;
    std::string key;
    bool operator==(tls_files const&) const = default;
};
/// Reads "CHAIN.pem:KEY.pem"; nullopt: it is not of this form.
[[nodiscard]] std::optional<tls_files> parse_tls_files(std::string_view text);

struct tls_server_settings {
    std::vector<tls_files> certificates; // at least one; the first is for clients that name none of the others
    std::string ticket_keys_file;        // empty: random keys
    tls_version least{tls_version::tls1_2};
};

class tls_server {
public:
    /// Throws std::runtime_error naming the file at fault.
    explicit tls_server(tls_server_settings settings, time_source const& time = system_time());
    /// Reads all files again. Throws as the constructor does; then everything stays as it was. Any thread.
    void reload();
    /// For a client that has just connected. Any thread.
    [[nodiscard]] tls_session accept_session() const;
    /// Does one of the certificates name this host, a name or an address as in a URL? Any thread.
    [[nodiscard]] bool serves(std::string_view host) const;
    /// When the first of the certificates expires.
    [[nodiscard]] timestamp expires() const;

private:
    struct state;
    [[nodiscard]] std::shared_ptr<state const> current() const;

    tls_server_settings const settings_;
    std::shared_ptr<ticket_keys> const keys_;
    mutable std::mutex mutex_;
    std::shared_ptr<state const> state_;
};

} // namespace recruiting
