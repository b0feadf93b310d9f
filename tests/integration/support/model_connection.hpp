// One connection of the model double: reads requests, sends answers as badly as they ask for. Blocking, a thread each.
#pragma once
#include "integration/support/model_double.hpp"

#include <atomic>
#include <openssl/ssl.h>
#include <string_view>

namespace recruiting::test {

/// Throws std::runtime_error when the files don't serve. The caller frees it.
[[nodiscard]] SSL_CTX* make_tls_context(tls_files const& files);

class model_connection {
public:
    /// context: null for a plain connection.
    model_connection(int fd, SSL_CTX* context) : fd_(fd), tls_(context == nullptr ? nullptr : SSL_new(context)) {}
    ~model_connection() { SSL_free(tls_); }
    model_connection(model_connection const&) = delete;
    model_connection& operator=(model_connection const&) = delete;

    /// The TLS handshake, where there is one.
    [[nodiscard]] bool greet();
    /// nullopt: the client went away.
    [[nodiscard]] std::optional<model_request_seen> read_request();
    /// May another request follow?
    [[nodiscard]] bool send(model_answer const& answer, std::atomic<bool> const& stopping);
    void wait_until_gone(std::atomic<bool> const& stopping);

private:
    [[nodiscard]] bool fill();
    [[nodiscard]] bool write(std::string_view bytes);
    [[nodiscard]] bool write_body(model_answer const& answer, std::atomic<bool> const& stopping);
    [[nodiscard]] bool write_piece(std::string_view piece, bool chunked);

    int fd_;
    SSL* tls_;
    std::string buffer_;
};

} // namespace recruiting::test
