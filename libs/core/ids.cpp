#include "core/ids.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <sys/random.h>

namespace recruiting {
namespace {

// getrandom costs a system call: bytes are drawn 4 KiB at a time, a buffer a thread.
void fill_random(std::uint8_t* out, std::size_t size) {
    thread_local std::array<std::uint8_t, 4096> pool;
    thread_local std::size_t used = pool.size();
    if (pool.size() - used < size) {
        for (std::size_t have = 0; have < pool.size();) {
            auto const got = ::getrandom(pool.data() + have, pool.size() - have, 0);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw std::runtime_error("getrandom failed");
            have += static_cast<std::size_t>(got);
        }
        used = 0;
    }
    std::memcpy(out, pool.data() + used, size);
    std::memset(pool.data() + used, 0, size);
    used += size;
}

// Both characters of every byte.
constexpr auto hex_pairs = [] {
    constexpr char digits[] = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) table[byte] = {digits[byte >> 4U], digits[byte & 15U]};
    return table;
}();

} // namespace

uuid new_record_id(timestamp now) {
    uuid id;
    fill_random(id.bytes.data() + 6, 10);
    auto const millis = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
    for (unsigned i = 0; i < 6; ++i) id.bytes[i] = static_cast<std::uint8_t>(millis >> (40U - 8U * i));
    id.bytes[6] = static_cast<std::uint8_t>(0x70U | (id.bytes[6] & 0x0FU));
    id.bytes[8] = static_cast<std::uint8_t>(0x80U | (id.bytes[8] & 0x3FU));
    return id;
}

uuid random_id() {
    uuid id;
    fill_random(id.bytes.data(), id.bytes.size());
    return id;
}

char* write_id(char* out, uuid const& id) noexcept {
    for (auto const byte : id.bytes) out = std::copy_n(hex_pairs[byte].data(), 2, out);
    return out;
}

void append_id(std::string& out, uuid const& id) { write_id(extend(out, uuid_text_size), id); }

std::string to_string(uuid const& id) {
    std::string out(uuid_text_size, '\0');
    write_id(out.data(), id);
    return out;
}

std::string to_dashed_string(uuid const& id) {
    auto text = to_string(id);
    for (std::size_t const at : {8U, 13U, 18U, 23U}) text.insert(at, 1, '-');
    return text;
}

std::optional<uuid> parse_id(std::string_view text) noexcept {
    bool const dashed = text.size() == 36;
    if (!dashed && text.size() != 32) return std::nullopt;
    uuid id;
    std::size_t at = 0;
    for (std::size_t i = 0; i < 16; ++i, at += 2) {
        bool const after_dash = dashed && (i == 4 || i == 6 || i == 8 || i == 10);
        if (after_dash && text[at++] != '-') return std::nullopt;
        int const high = hex_value(text[at]);
        int const low = hex_value(text[at + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        id.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return id;
}

std::string new_request_id() { return to_string(new_record_id()); }

void append_request_id(std::string& out) { append_id(out, new_record_id()); }

bool is_request_id(std::string_view text) noexcept {
    if (text.size() < 8 || text.size() > 64) return false;
    // A key's secret would fit, and ids are written everywhere.
    if (text.find("sp_live_") != std::string_view::npos || text.find("sp_test_") != std::string_view::npos)
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

std::string request_id_for(std::string_view inbound) {
    return is_request_id(inbound) ? std::string(inbound) : new_request_id();
}

} // namespace recruiting
