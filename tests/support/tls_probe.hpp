// A TLS client that offers what a test wants offered, straight on OpenSSL: the other side of what is tested.
#pragma once
#include <memory>
#include <string>
#include <string_view>

struct ssl_st;
struct ssl_session_st;

namespace recruiting::test {

using saved_session = std::shared_ptr<ssl_session_st>;

struct tls_offer {
    std::string ca_file; // empty: believes any certificate
    std::string server_name{};
    unsigned least{0x0301}; // TLS 1.0: what a server refuses must be offered
    unsigned most{0x0304};
    std::string suites{"ALL:@SECLEVEL=0"}; // up to TLS 1.2
    std::string protocol{};                // ALPN: one name
    saved_session resume{};
};

class tls_probe {
public:
    enum class progress { done, wants_more, failed };

    /// On a connected socket, which stays the caller's; blocking or not.
    tls_probe(int descriptor, tls_offer const& offer);

    [[nodiscard]] progress handshake();
    [[nodiscard]] bool write(std::string_view text);
    /// The next bytes; empty: none now, or the end.
    [[nodiscard]] std::string read();
    /// The number of the fatal alert that ended the handshake (RFC 8446 section 6); 0: none came.
    [[nodiscard]] int alert() const noexcept { return alert_; }
    [[nodiscard]] std::string version() const;  // "TLSv1.3"
    [[nodiscard]] std::string suite() const;    // OpenSSL's name
    [[nodiscard]] std::string protocol() const; // ALPN's choice
    [[nodiscard]] std::string subject() const;  // the common name of the server's certificate
    [[nodiscard]] bool resumed() const;
    /// For tls_offer::resume; TLS 1.3 sends it with the first bytes after the handshake. nullptr: none came.
    [[nodiscard]] saved_session session() const;

private:
    struct free_session {
        void operator()(ssl_st* session) const noexcept;
    };
    std::unique_ptr<ssl_st, free_session> ssl_;
    int alert_{0};
};

} // namespace recruiting::test
