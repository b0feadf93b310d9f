#include "crypto/keyed_hash.hpp"

#include <array>
#include <bit>
#include <sodium.h>

namespace recruiting {
namespace {

using hash_key = std::array<unsigned char, crypto_shorthash_KEYBYTES>;

hash_key make_key() noexcept {
    hash_key made;
    ::randombytes_buf(made.data(), made.size());
    return made;
}

} // namespace

std::uint64_t keyed_hash(std::string_view text) noexcept {
    static hash_key const key = make_key();
    std::array<unsigned char, crypto_shorthash_BYTES> out;
    ::crypto_shorthash(out.data(), reinterpret_cast<unsigned char const*>(text.data()), text.size(), key.data());
    return std::bit_cast<std::uint64_t>(out);
}

} // namespace recruiting
