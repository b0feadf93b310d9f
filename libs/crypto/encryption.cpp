#include "crypto/encryption.hpp"

#include <sodium.h>
#include <stdexcept>

namespace recruiting {
namespace {

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
