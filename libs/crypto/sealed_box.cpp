#include "crypto/sealed_box.hpp"

#include <sodium.h>
#include <stdexcept>

namespace recruiting {
namespace {

static_assert(crypto_box_SEEDBYTES == sizeof(digest));
static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == sizeof(digest));

constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;

void prepare() {
    static bool const ready = ::sodium_init() >= 0; // picks its implementations; any number of threads may come here
    if (!ready) throw std::runtime_error("libsodium can't be used");
}

unsigned char* bytes(std::string& text) noexcept { return reinterpret_cast<unsigned char*>(text.data()); }
unsigned char const* bytes(std::string_view text) noexcept {
    return reinterpret_cast<unsigned char const*>(text.data());
}

} // namespace

box_keys derive_box_keys(digest const& seed) {
    prepare();
    box_keys out{std::string(crypto_box_PUBLICKEYBYTES, '\0'), std::string(crypto_box_SECRETKEYBYTES, '\0')};
    if (::crypto_box_seed_keypair(bytes(out.public_key), bytes(out.secret_key), seed.data()) != 0)
        throw std::runtime_error("libsodium can't create a key pair");
    return out;
}

std::optional<std::string> seal(std::string_view text, std::string_view public_key) {
    prepare();
    if (public_key.size() != crypto_box_PUBLICKEYBYTES) return std::nullopt;
    std::string out(text.size() + crypto_box_SEALBYTES, '\0');
    if (::crypto_box_seal(bytes(out), bytes(text), text.size(), bytes(public_key)) != 0) return std::nullopt;
    return out;
}

std::optional<std::string> open_sealed(std::string_view sealed, box_keys const& keys) {
    prepare();
    if (sealed.size() < crypto_box_SEALBYTES) return std::nullopt;
    std::string out(sealed.size() - crypto_box_SEALBYTES, '\0');
    if (::crypto_box_seal_open(bytes(out), bytes(sealed), sealed.size(), bytes(keys.public_key),
                               bytes(keys.secret_key)) != 0)
        return std::nullopt;
    return out;
}

std::string encrypt(std::string_view text, digest const& key, std::string_view purpose) {
    prepare();
    auto out = random_bytes(nonce_size);
    out.resize(nonce_size + text.size() + tag_size);
    unsigned long long written = 0;
    if (::crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(out) + nonce_size, &written, bytes(text), text.size(),
                                                     bytes(purpose), purpose.size(), nullptr, bytes(out),
                                                     key.data()) != 0)
        throw std::runtime_error("libsodium can't encrypt");
    return out;
}

std::optional<std::string> decrypt(std::string_view encrypted, digest const& key, std::string_view purpose) {
    prepare();
    if (encrypted.size() < nonce_size + tag_size) return std::nullopt;
    std::string out(encrypted.size() - nonce_size - tag_size, '\0');
    unsigned long long written = 0;
    if (::crypto_aead_xchacha20poly1305_ietf_decrypt(bytes(out), &written, nullptr, bytes(encrypted) + nonce_size,
                                                     encrypted.size() - nonce_size, bytes(purpose), purpose.size(),
                                                     bytes(encrypted), key.data()) != 0)
        return std::nullopt;
    return out;
}

} // namespace recruiting
