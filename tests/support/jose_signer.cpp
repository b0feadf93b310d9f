#include "support/jose_signer.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdexcept>
#include <vector>

namespace recruiting::test {
namespace {

constexpr int coordinate_size = 32;

void require_openssl(bool done) {
    if (!done) throw std::runtime_error("OpenSSL refuses");
}

EVP_PKEY* generate(jose_signer::kind what) {
    switch (what) {
    case jose_signer::kind::rsa: return EVP_RSA_gen(2048);
    case jose_signer::kind::short_rsa: return EVP_RSA_gen(1024);
    case jose_signer::kind::p256: return EVP_EC_gen("P-256");
    case jose_signer::kind::p384: return EVP_EC_gen("P-384");
    }
    return nullptr;
}

std::string number(EVP_PKEY* key, char const* name, int size) {
    BIGNUM* value = nullptr;
    require_openssl(EVP_PKEY_get_bn_param(key, name, &value) == 1);
    std::string out(static_cast<std::size_t>(size == 0 ? BN_num_bytes(value) : size), '\0');
    BN_bn2binpad(value, reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(out.size()));
    BN_free(value);
    return to_base64url(out);
}

// r and s beside each other (RFC 7518 section 3.4), from OpenSSL's DER.
std::string joined(std::string const& der) {
    auto const* at = reinterpret_cast<unsigned char const*>(der.data());
    ECDSA_SIG* const read = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
    require_openssl(read != nullptr);
    std::string out(2 * coordinate_size, '\0');
    auto* const bytes = reinterpret_cast<unsigned char*>(out.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(read), bytes, coordinate_size);
    BN_bn2binpad(ECDSA_SIG_get0_s(read), bytes + coordinate_size, coordinate_size);
    ECDSA_SIG_free(read);
    return out;
}

std::string id_member(std::string_view id) { return id.empty() ? "" : R"(,"kid":")" + std::string(id) + '"'; }

} // namespace

struct jose_signer::state {
    explicit state(EVP_PKEY* of) : key(of) {}
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    ~state() { EVP_PKEY_free(key); }

    EVP_PKEY* key;
};

jose_signer::jose_signer(kind what, std::string id)
    : state_(std::make_unique<state>(generate(what))), id_(std::move(id)),
      is_rsa_(what == kind::rsa || what == kind::short_rsa) {
    require_openssl(state_->key != nullptr);
}
jose_signer::~jose_signer() = default;
jose_signer::jose_signer(jose_signer&&) noexcept = default;

std::string jose_signer::jwk(std::string_view more) const {
    auto* const key = state_->key;
    std::string out = is_rsa_ ? R"({"kty":"RSA","n":")" + number(key, OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
                                    number(key, OSSL_PKEY_PARAM_RSA_E, 0) + '"'
                              : R"({"kty":"EC","crv":"P-)" + std::to_string(EVP_PKEY_get_bits(key)) + R"(","x":")" +
                                    number(key, OSSL_PKEY_PARAM_EC_PUB_X, EVP_PKEY_get_bits(key) / 8) + R"(","y":")" +
                                    number(key, OSSL_PKEY_PARAM_EC_PUB_Y, EVP_PKEY_get_bits(key) / 8) + '"';
    out += id_member(id_);
    out += more;
    return out + '}';
}

std::string jose_signer::jwk_set() const { return R"({"keys":[)" + jwk() + "]}"; }

std::string jose_signer::public_pem() const {
    BIO* const out = BIO_new(BIO_s_mem());
    require_openssl(PEM_write_bio_PUBKEY(out, state_->key) == 1);
    char* text = nullptr;
    auto const size = BIO_get_mem_data(out, &text);
    std::string pem(text, static_cast<std::size_t>(size));
    BIO_free(out);
    return pem;
}

std::string jose_signer::sign(std::string_view algorithm, std::string_view payload, std::string_view more) const {
    auto const header = R"({"alg":")" + std::string(algorithm) + '"' + id_member(id_) + std::string(more) + '}';
    auto const input = to_base64url(header) + '.' + to_base64url(payload);
    auto* const context = EVP_MD_CTX_new();
    EVP_PKEY_CTX* by = nullptr;
    require_openssl(EVP_DigestSignInit_ex(context, &by, "SHA256", nullptr, nullptr, state_->key, nullptr) == 1);
    if (algorithm == "PS256") {
        require_openssl(EVP_PKEY_CTX_set_rsa_padding(by, RSA_PKCS1_PSS_PADDING) == 1);
        require_openssl(EVP_PKEY_CTX_set_rsa_pss_saltlen(by, RSA_PSS_SALTLEN_DIGEST) == 1);
    }
    auto const* const bytes = reinterpret_cast<unsigned char const*>(input.data());
    std::size_t size = 0;
    require_openssl(EVP_DigestSign(context, nullptr, &size, bytes, input.size()) == 1);
    std::string signature(size, '\0');
    require_openssl(
        EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &size, bytes, input.size()) == 1);
    signature.resize(size);
    EVP_MD_CTX_free(context);
    return input + '.' + to_base64url(is_rsa_ ? signature : joined(signature));
}

std::string unsigned_token(std::string_view payload) {
    return to_base64url(R"({"alg":"none"})") + '.' + to_base64url(payload) + '.';
}

std::string mac_token(std::string_view secret, std::string_view payload, std::string_view key_id) {
    auto const input = to_base64url(R"({"alg":"HS256")" + id_member(key_id) + '}') + '.' + to_base64url(payload);
    return input + '.' + to_base64url(bytes_of(hmac_sha256(secret, input)));
}

} // namespace recruiting::test
