#include "transfer/curl_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

namespace recruiting::transfer {

void append(list_ptr& list, std::string const& line) {
    auto* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

void prepare(CURL* easy, curl_target const& target) {
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
    curl_easy_setopt(easy, CURLOPT_CAINFO, target.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH,
                     static_cast<char const*>(nullptr)); // only the authorities of the file are trusted
}

bool is_tls_problem(CURLcode code) noexcept {
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
