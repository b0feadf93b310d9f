#include "auth_api/agent/model/fence.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::auth_api::agent {

fence::fence(std::string nonce)
    : nonce_(std::move(nonce)), opening_("<<<data " + nonce_), closing_("data " + nonce_ + ">>>") {}

std::string fence::around(std::string_view data) const {
    std::string out = opening_ + "\n";
    for (auto at = data.find(nonce_); at != data.npos; at = data.find(nonce_)) {
        out += data.substr(0, at);
        out += '-';
        data.remove_prefix(at + nonce_.size());
    }
    out += data;
    return out + "\n" + closing_;
}

std::string fence_nonce(std::string_view secret, std::string_view prompt) {
    constexpr std::size_t enough = 16;
    auto const made = hmac_sha256(secret, prompt);
    return to_hex(bytes_of(made).substr(0, enough));
}

} // namespace recruiting::auth_api::agent
