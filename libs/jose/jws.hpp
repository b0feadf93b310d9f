// JSON Web Signatures (RFC 7515) of other servers, verified with the keys that they publish (RFC 7517). Signatures are
// RS256, PS256 and ES256 (RFC 7518 section 3): a secret key, or none, verifies nothing here. The only user of cjose.
#pragma once
#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct _cjose_jwk_int; // NOLINT(bugprone-reserved-identifier): cjose's name

namespace recruiting::jose {

struct token_header;

/// A JSON object; nullopt: text is none.
[[nodiscard]] std::optional<boost::json::object> parse_object(std::string_view text);
/// nullopt: the object has no member of this name, or it is no text.
[[nodiscard]] std::optional<std::string> text_member(boost::json::object const& of, std::string_view name);

enum class jws_fault {
    malformed,   // no compact serialization of a JWS, or one with extensions (crit)
    algorithm,   // not one of RS256, PS256, ES256
    unknown_key, // the set has no key for it; a newer set may have one
    signature,
};
[[nodiscard]] std::string_view to_string(jws_fault why) noexcept;

/// The public keys of a server. Not for use by several threads at once.
class key_set {
public:
    /// Keys that verify none of these signatures are left out: of other types, curves and uses, and RSA keys
    /// shorter than 2048 bits. nullopt: text is no JWK Set.
    [[nodiscard]] static std::optional<key_set> parse(std::string_view text);
    [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }

    /// The payload of a token that one of these keys has signed. A token that names no key needs a set with one that
    /// fits.
    [[nodiscard]] std::variant<jws_fault, std::string> verify(std::string_view compact) const;

private:
    struct release_key {
        void operator()(_cjose_jwk_int* key) const noexcept;
    };
    struct key {
        std::optional<std::string> id;
        std::optional<std::string> algorithm;
        bool is_rsa;
        std::unique_ptr<_cjose_jwk_int, release_key> value;
    };
    [[nodiscard]] static std::optional<key> read(boost::json::object const& from);
    [[nodiscard]] _cjose_jwk_int* find(token_header const& header) const noexcept;

    std::vector<key> keys_;
};

} // namespace recruiting::jose
