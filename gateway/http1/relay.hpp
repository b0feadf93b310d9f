// Moves one body from one connection to the other through the reader's buffer: bounded memory, and back-pressure
// because nothing is read before what was read is written.
#pragma once
#include "crypto/stream.hpp"
#include "gateway/http1/body_reader.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace recruiting::gateway {

enum class relay_result {
    done,
    source_closed,
    source_timed_out,
    source_malformed,
    source_too_slow,
    trailers_too_large,
    too_large,
    sink_lost
};

struct relay_job {
    stream& from;
    byte_buffer& buffer; // of from; may hold the body's beginning, and what follows the body
    body_reader& reader;
    stream& to;
    std::string prefix;      // the head, written together with the first piece of the body
    bool chunked_out{false}; // frame what goes out in chunks
    std::uint64_t limit{std::numeric_limits<std::uint64_t>::max()};
    std::chrono::milliseconds read_limit{};
    std::chrono::milliseconds write_limit{};
    std::uint64_t least_rate{0}; // bytes a second from the first on; 0: any
    std::uint64_t written{0};    // bytes of the body, without framing
    bool sent_any{false};
    // Between two steps.
    gather out{};
    std::string size_line{}; // of a chunk
    std::size_t consumed{0};
    coarse_clock::time_point began{};
};

/// Is a body slower than least_rate, in bytes a second after the first read_limit?
[[nodiscard]] bool is_too_slow(std::uint64_t received, coarse_clock::duration since,
                               std::chrono::milliseconds read_limit, std::uint64_t least_rate) noexcept;
/// Writes what the buffer holds of the body, as far as it goes at once. nullopt: relay must follow.
[[nodiscard]] std::optional<relay_result> relay_at_once(relay_job& job);
/// Does the rest; relay_at_once came before.
[[nodiscard]] task<relay_result> relay(relay_job& job);

} // namespace recruiting::gateway
