#include "crypto/digest.hpp"

#include "core/text.hpp"

#include <boost/crc.hpp>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdexcept>

namespace recruiting {
namespace {

struct free_context {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

EVP_MD const* sha256_algorithm() {
    static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (algorithm == nullptr) throw std::runtime_error("OpenSSL has no SHA-256");
    return algorithm;
}

EVP_MD_CTX* thread_context() {
    thread_local std::unique_ptr<EVP_MD_CTX, free_context> const context{EVP_MD_CTX_new()};
    if (!context) throw std::bad_alloc();
    return context.get();
}

digest hash_two(std::string_view first, std::string_view second) {
    digest out;
    auto* const context = thread_context();
    if (EVP_DigestInit_ex2(context, sha256_algorithm(), nullptr) != 1 ||
        EVP_DigestUpdate(context, first.data(), first.size()) != 1 ||
        EVP_DigestUpdate(context, second.data(), second.size()) != 1 ||
        EVP_DigestFinal_ex(context, out.data(), nullptr) != 1)
        throw std::runtime_error("SHA-256 failed");
    return out;
}

} // namespace

digest sha256(std::string_view data) { return hash_two(data, {}); }

digest hmac_sha256(std::string_view key, std::string_view data) {
    std::array<char, 64> inner_key{};
    if (key.size() > inner_key.size()) bytes_of(sha256(key)).copy(inner_key.data(), inner_key.size());
    else key.copy(inner_key.data(), key.size());
    auto outer_key = inner_key;
    for (auto& c : inner_key) c = static_cast<char>(c ^ 0x36);
    for (auto& c : outer_key) c = static_cast<char>(c ^ 0x5C);
    auto const inner = hash_two({inner_key.data(), inner_key.size()}, data);
    auto const out = hash_two({outer_key.data(), outer_key.size()}, bytes_of(inner));
    OPENSSL_cleanse(inner_key.data(), inner_key.size());
    OPENSSL_cleanse(outer_key.data(), outer_key.size());
    return out;
}

std::string_view bytes_of(digest const& value) noexcept {
    return {reinterpret_cast<char const*>(value.data()), value.size()};
}

bool equal_constant_time(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_bytes(std::size_t size) {
    std::string out(size, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(size)) != 1)
        throw std::runtime_error("RAND_bytes failed");
    return out;
}

std::uint32_t crc32(std::string_view data) noexcept {
    boost::crc_32_type crc;
    crc.process_bytes(data.data(), data.size());
    return crc.checksum();
}

std::string join_token_of(std::string_view manage_token) {
    return to_base64url(bytes_of(hmac_sha256(manage_token, "join")));
}

} // namespace recruiting
