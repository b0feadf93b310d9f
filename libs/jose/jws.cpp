#include "jose/jws.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cjose/cjose.h>
#include <vector>

namespace recruiting::jose {

struct token_header {
    std::string algorithm;
    bool is_rsa;
    std::optional<std::string> key_id;
};

namespace {

namespace json = boost::json;

constexpr std::size_t shortest_rsa = 2048 / 8;
constexpr std::size_t longest_rsa = 8192 / 8;
constexpr std::size_t most_keys = 64;
constexpr std::size_t longest_token = 64 * 1024;

bool is_for_signatures(json::object const& key) {
    if (auto const* const use = key.if_contains("use"); use != nullptr && *use != json::value("sig")) return false;
    auto const* const operations = key.if_contains("key_ops");
    if (operations == nullptr) return true;
    return operations->is_array() && std::ranges::count(operations->get_array(), json::value("verify")) > 0;
}

// Only what makes the public key: nothing else of the member reaches the library.
std::optional<json::object> public_part(json::object const& key, bool is_rsa) {
    json::object out{{"kty", is_rsa ? "RSA" : "EC"}};
    std::vector<std::string_view> const names =
        is_rsa ? std::vector<std::string_view>{"n", "e"} : std::vector<std::string_view>{"crv", "x", "y"};
    for (auto const name : names) {
        auto value = text_member(key, name);
        if (!value) return std::nullopt;
        out[name] = std::move(*value);
    }
    return out;
}

bool has_usable_size(json::object const& rsa) {
    auto const modulus = from_base64url(std::string_view(rsa.at("n").get_string()));
    return modulus && modulus->size() >= shortest_rsa && modulus->size() <= longest_rsa;
}

std::variant<jws_fault, token_header> read_header(std::string_view compact) {
    if (compact.size() > longest_token || std::ranges::count(compact, '.') != 2) return jws_fault::malformed;
    auto const text = from_base64url(compact.substr(0, compact.find('.')));
    auto const header = text ? parse_object(*text) : std::nullopt;
    if (!header || header->contains("crit")) return jws_fault::malformed;
    auto name = text_member(*header, "alg");
    if (!name || (header->contains("kid") && !text_member(*header, "kid"))) return jws_fault::malformed;
    bool const is_rsa = *name == "RS256" || *name == "PS256";
    if (!is_rsa && *name != "ES256") return jws_fault::algorithm;
    return token_header{std::move(*name), is_rsa, text_member(*header, "kid")};
}

struct release_jws {
    void operator()(cjose_jws_t* token) const noexcept { cjose_jws_release(token); }
};

} // namespace

std::optional<std::string> text_member(json::object const& of, std::string_view name) {
    auto const* const value = of.if_contains(name);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

std::optional<json::object> parse_object(std::string_view text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (error || !value.is_object()) return std::nullopt;
    return std::move(value.get_object());
}

std::string_view to_string(jws_fault why) noexcept {
    switch (why) {
    case jws_fault::malformed: return "malformed";
    case jws_fault::algorithm: return "algorithm";
    case jws_fault::unknown_key: return "unknown_key";
    case jws_fault::signature: return "signature";
    }
    return "";
}

void key_set::release_key::operator()(_cjose_jwk_int* key) const noexcept { cjose_jwk_release(key); }

std::optional<key_set::key> key_set::read(json::object const& from) {
    auto const type = text_member(from, "kty");
    bool const is_rsa = type == "RSA";
    bool const is_curve = type == "EC" && text_member(from, "crv") == "P-256";
    if ((!is_rsa && !is_curve) || !is_for_signatures(from)) return std::nullopt;
    auto const part = public_part(from, is_rsa);
    if (!part || (is_rsa && !has_usable_size(*part))) return std::nullopt;
    auto const text = json::serialize(*part);
    cjose_err error{};
    key out{text_member(from, "kid"), text_member(from, "alg"), is_rsa, {}};
    out.value.reset(cjose_jwk_import(text.data(), text.size(), &error));
    if (!out.value) return std::nullopt;
    return out;
}

std::optional<key_set> key_set::parse(std::string_view text) {
    auto const set = parse_object(text);
    auto const* const keys = set ? set->if_contains("keys") : nullptr;
    if (keys == nullptr || !keys->is_array() || keys->get_array().size() > most_keys) return std::nullopt;
    key_set out;
    for (auto const& one : keys->get_array()) {
        if (!one.is_object()) return std::nullopt;
        if (auto usable = read(one.get_object())) out.keys_.push_back(std::move(*usable));
    }
    return out;
}

// nullptr: there is none, or several and the token names none of them.
_cjose_jwk_int* key_set::find(token_header const& header) const noexcept {
    _cjose_jwk_int* found = nullptr;
    for (auto const& one : keys_) {
        if (one.is_rsa != header.is_rsa || (one.algorithm && *one.algorithm != header.algorithm)) continue;
        if (header.key_id && one.id != header.key_id) continue;
        if (found != nullptr) return nullptr;
        found = one.value.get();
    }
    return found;
}

std::variant<jws_fault, std::string> key_set::verify(std::string_view compact) const {
    auto const read = read_header(compact);
    if (auto const* const fault = std::get_if<jws_fault>(&read)) return *fault;
    auto* const found = find(std::get<token_header>(read));
    if (found == nullptr) return jws_fault::unknown_key;
    cjose_err error{};
    std::unique_ptr<cjose_jws_t, release_jws> const token(cjose_jws_import(compact.data(), compact.size(), &error));
    if (!token) return jws_fault::malformed;
    if (!cjose_jws_verify(token.get(), found, &error)) return jws_fault::signature;
    std::uint8_t* payload = nullptr; // the token's
    std::size_t size = 0;
    if (!cjose_jws_get_plaintext(token.get(), &payload, &size, &error)) return jws_fault::malformed;
    return std::string(reinterpret_cast<char const*>(payload), size);
}

} // namespace recruiting::jose
