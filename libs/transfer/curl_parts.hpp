// What the protocols of this folder have in common.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <curl/curl.h>
#include <memory>
#include <new>
#include <string>

namespace recruiting::transfer {

struct list_deleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using list_ptr = std::unique_ptr<curl_slist, list_deleter>;
/// Throws std::bad_alloc.
inline void append(list_ptr& list, std::string const& line) {
    auto* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

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
inline void prepare(CURL* easy, curl_target const& target) {
    auto const milliseconds = [](std::chrono::milliseconds limit) {
        return static_cast<long>(std::max<std::int64_t>(limit.count(), 1)); // 0 would mean none
    };
    curl_easy_setopt(easy, CURLOPT_URL, target.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, target.protocols);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds(target.timeout));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(target.connect_timeout));
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (target.ca_file.empty()) return;
    // Only the authorities of the file are trusted.
    curl_easy_setopt(easy, CURLOPT_CAINFO, target.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, static_cast<char const*>(nullptr));
}

/// No secure connection: a certificate was refused, or the server does not support TLS.
[[nodiscard]] inline bool is_tls_problem(CURLcode code) noexcept {
    switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_USE_SSL_FAILED: return true; // the last: TLS is required, and not offered
    default: return false;
    }
}

} // namespace recruiting::transfer
