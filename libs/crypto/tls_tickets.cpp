#include "crypto/tls_tickets.hpp"

#include "crypto/digest.hpp"
#include "crypto/tls_context.hpp"

#include <algorithm>
#include <cstring>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace recruiting {
namespace {

constexpr std::size_t ticket_key_size = 80;
constexpr std::size_t most_keys = 16;
// How many random keys a ticket made at the end of one's hour may outlive.
constexpr std::size_t kept_keys = 1 + ticket_keys::lifetime / ticket_keys::interval;

ticket_key read_key(std::string_view bytes) {
    ticket_key key;
    std::memcpy(key.name.data(), bytes.data(), key.name.size());
    std::memcpy(key.mac_key.data(), bytes.data() + 16, key.mac_key.size());
    std::memcpy(key.cipher_key.data(), bytes.data() + 48, key.cipher_key.size());
    return key;
}

EVP_CIPHER const* cipher() {
    static EVP_CIPHER* const algorithm = EVP_CIPHER_fetch(nullptr, "AES-256-CBC", nullptr);
    return algorithm;
}

bool set_mac_key(EVP_MAC_CTX* mac, ticket_key& key) {
    char digest_name[] = "SHA256";
    std::array const parameters = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.mac_key.data(), key.mac_key.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0), OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(mac, parameters.data()) == 1;
}

// What SSL_CTX_set_tlsext_ticket_key_evp_cb(3) asks for.
enum ticket_answer { failed = -1, unknown = 0, good = 1, good_but_renew = 2 };

int on_ticket(SSL* session, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* crypt, EVP_MAC_CTX* mac,
              int encrypting) {
    // SSL_get_SSL_CTX may be another certificate's by now; every context of a server has the same keys.
    auto& keys = *static_cast<ticket_keys*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), 0));
    if (encrypting != 0) {
        auto key = keys.newest();
        std::memcpy(name, key.name.data(), key.name.size());
        bool const made = RAND_bytes(iv, EVP_CIPHER_get_iv_length(cipher())) == 1 &&
                          EVP_EncryptInit_ex2(crypt, cipher(), key.cipher_key.data(), iv, nullptr) == 1 &&
                          set_mac_key(mac, key);
        return made ? good : failed;
    }
    auto found = keys.find(name);
    if (!found) return unknown;
    bool const ready = EVP_DecryptInit_ex2(crypt, cipher(), found->key.cipher_key.data(), iv, nullptr) == 1 &&
                       set_mac_key(mac, found->key);
    if (!ready) return failed;
    return found->is_newest ? good : good_but_renew;
}

} // namespace

ticket_key::~ticket_key() {
    OPENSSL_cleanse(mac_key.data(), mac_key.size());
    OPENSSL_cleanse(cipher_key.data(), cipher_key.size());
}

std::optional<std::vector<ticket_key>> parse_ticket_keys(std::string_view content) {
    auto const count = content.size() / ticket_key_size;
    if (count == 0 || count > most_keys || content.size() % ticket_key_size != 0) return std::nullopt;
    std::vector<ticket_key> keys;
    for (std::size_t i = 0; i < count; ++i)
        keys.push_back(read_key(content.substr(i * ticket_key_size, ticket_key_size)));
    return keys;
}

void ticket_keys::use(std::vector<ticket_key> of_file) {
    std::lock_guard const lock(mutex_);
    keys_ = std::move(of_file);
    from_file_ = true;
}

void ticket_keys::rotate() {
    auto const now = time_.now();
    if (from_file_ || now < next_) return;
    // After a pause older than the keys' life all of them are too old, not only the oldest.
    if (!keys_.empty() && now >= next_ + lifetime) keys_.clear();
    auto random = random_bytes(ticket_key_size);
    keys_.insert(keys_.begin(), read_key(random));
    OPENSSL_cleanse(random.data(), random.size());
    if (keys_.size() > kept_keys) keys_.resize(kept_keys);
    next_ = now + interval;
}

ticket_key ticket_keys::newest() {
    std::lock_guard const lock(mutex_);
    rotate();
    return keys_.front();
}

std::optional<ticket_keys::match> ticket_keys::find(unsigned char const* name) {
    std::lock_guard const lock(mutex_);
    rotate();
    auto const named = [name](ticket_key const& key) { return std::equal(key.name.begin(), key.name.end(), name); };
    auto const at = std::find_if(keys_.begin(), keys_.end(), named);
    if (at == keys_.end()) return std::nullopt;
    return match{*at, at == keys_.begin()};
}

void use_ticket_keys(ssl_ctx_st* context, ticket_keys& keys) {
    SSL_CTX_set_ex_data(context, 0, &keys); // 0: the application's own
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, on_ticket);
    SSL_CTX_set_timeout(context, std::chrono::seconds(ticket_keys::lifetime).count());
}

} // namespace recruiting
