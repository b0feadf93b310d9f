// Opaque, signed tokens: a list of texts with an HMAC, base64url (proto-docs/lists.md). A token with one
// byte changed is rejected. Cursors and sync tokens are made of these; they do not expire.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

class token_signer {
public:
    explicit token_signer(std::string secret) : secret_(std::move(secret)) {}

    [[nodiscard]] std::string sign(std::vector<std::string> const& parts) const;
    /// nullopt: not one of ours.
    [[nodiscard]] std::optional<std::vector<std::string>> verify(std::string_view token) const;

private:
    std::string secret_;
};

} // namespace recruiting::http
