// The client's side of TLS, for connections to services and Redis: the server's certificate is always verified; a
// certificate of our own is shown when there is one (mutual TLS). One object serves all threads.
#pragma once
#include "crypto/tls_server.hpp"

#include <optional>

namespace recruiting {

class settings_reader;

struct tls_client_settings {
    std::string ca_file;     // PEM; empty: the system's
    tls_files own;           // empty: none
    std::string server_name; // what the server's certificate must name; empty: the host connected to
    bool offers_http{true};  // http/1.1, by ALPN (RFC 7301); else no protocol is named
    bool operator==(tls_client_settings const&) const = default;
};

class tls_client {
public:
    /// Throws std::runtime_error naming the file at fault.
    explicit tls_client(tls_client_settings settings);
    /// Reads all files again. Throws as the constructor does; then everything stays as it was. Any thread.
    void reload();
    /// For a connection to host, a name or an address. Any thread.
    [[nodiscard]] tls_session connect_session(std::string const& host) const;

    /// When our own certificate expires; nullopt: there is none. Any thread.
    [[nodiscard]] std::optional<timestamp> expires() const;

private:
    struct state;
    [[nodiscard]] std::shared_ptr<state const> current() const;

    tls_client_settings const settings_;
    mutable std::mutex mutex_;
    std::shared_ptr<state const> state_;
};

/// A setting for the certificate of our own, as CHAIN.pem:KEY.pem; empty: none.
void declare_certificate(settings_reader& reader, std::string name, tls_files& target, std::string help);

} // namespace recruiting
