// Tokens as OpenID Connect providers, and those who pretend to be one, sign them: made with OpenSSL alone, so that the
// library under test is checked by another.
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace recruiting::test {

class jose_signer {
public:
    enum class kind { rsa, short_rsa, p256, p384 };
    /// id: the key's; "": it has none.
    explicit jose_signer(kind what, std::string id);
    ~jose_signer();
    jose_signer(jose_signer&&) noexcept;

    /// The public key as a JWK. more: further members, as in R"(,"use":"enc")".
    [[nodiscard]] std::string jwk(std::string_view more = {}) const;
    /// {"keys":[jwk()]}
    [[nodiscard]] std::string jwk_set() const;
    [[nodiscard]] std::string public_pem() const;
    /// RS256, PS256 or ES256. more: further members of the header.
    [[nodiscard]] std::string sign(std::string_view algorithm, std::string_view payload,
                                   std::string_view more = {}) const;
    [[nodiscard]] std::string const& id() const noexcept { return id_; }

private:
    struct state;
    std::unique_ptr<state> state_;
    std::string id_;
    bool is_rsa_;
};

/// alg none, without a signature.
[[nodiscard]] std::string unsigned_token(std::string_view payload);
/// HS256 with this secret.
[[nodiscard]] std::string mac_token(std::string_view secret, std::string_view payload, std::string_view key_id);

} // namespace recruiting::test
