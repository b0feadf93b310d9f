// One HTTP request and its answer over an engine. Certificates are verified, redirects are not followed (credentials
// must not travel), the environment's proxies are ignored, only http and https are supported.
#pragma once
#include "core/ip.hpp"
#include "transfer/engine.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace recruiting::transfer {

struct http_request {
    enum class verb { get, post };
    verb method{verb::get};
    std::string url;
    std::vector<std::string> headers; // "Name: value"
    std::string body;                 // of a post
    std::chrono::milliseconds timeout{60'000};
    std::chrono::milliseconds connect_timeout{5'000};
    std::uint64_t response_limit{1024 * 1024}; // bytes of the answer's body
    std::string ca_file;                       // PEM; empty: the system's
    std::string proxy;                         // empty: none
    std::string unix_path;                     // connects to this socket, whatever the URL's host; empty: to the host
    bool keeps_beginning{false};               // a body beyond response_limit is cut there, and no failure
    // Asked of each address that is connected to, whichever name led there: what it refuses is not connected to. Empty:
    // any. Connections that an engine keeps were asked of once: exchanges with other rules have an engine of their own.
    std::function<bool(ip_address const&)> may_connect{};
};

struct http_answer {
    unsigned status{0};
    std::string content_type;
    std::optional<std::chrono::seconds> retry_after;
    std::string body;
};

struct http_failure {
    enum class kind {
        not_allowed,    // may_connect refused every address
        connect_failed, // not connected in time or at all: nothing of the request was sent
        tls,            // no secure connection: a certificate was refused, or the server does not support TLS
        timed_out,
        too_large,
        cancelled,
        lost, // the request may have been seen
    };
    kind why{kind::lost};
    char const* detail{""}; // curl's words for it; nothing of the request or the answer is in them
};
[[nodiscard]] char const* to_string(http_failure::kind why) noexcept;

using http_result = std::variant<http_failure, http_answer>;

class http_exchange {
public:
    http_exchange(engine& by, http_request what);
    ~http_exchange();
    http_exchange(http_exchange const&) = delete;
    http_exchange& operator=(http_exchange const&) = delete;

    /// Called once. What a broken request, server or network can cause is a failure; nothing is thrown.
    [[nodiscard]] task<http_result> run();
    /// Before, while or after it runs.
    void cancel();

private:
    struct transfer;
    engine& by_;
    std::unique_ptr<transfer> self_;
};

} // namespace recruiting::transfer
