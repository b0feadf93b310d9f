// What the protocols of this folder have in common.
#pragma once
#include <chrono>
#include <curl/curl.h>
#include <memory>
#include <string>

namespace recruiting::transfer {

struct list_deleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using list_ptr = std::unique_ptr<curl_slist, list_deleter>;
/// Throws std::bad_alloc.
void append(list_ptr& list, std::string const& line);

/// Where a transfer goes. Certificates are verified against the system's authorities, or against those of a file alone;
/// TLS 1.2 at least.
struct curl_target {
    std::string const& url;
    char const* protocols; // "http,https"
    std::chrono::milliseconds timeout;
    std::chrono::milliseconds connect_timeout;
    std::string const& ca_file; // empty: the system's
};
/// The texts of target must outlive the transfer.
void prepare(CURL* easy, curl_target const& target);
/// No secure connection: a certificate was refused, or the server does not support TLS.
[[nodiscard]] bool is_tls_problem(CURLcode code) noexcept;

} // namespace recruiting::transfer
