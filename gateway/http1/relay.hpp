// Moves one body from one connection to the other through the reader's buffer: bounded memory, and back-pressure
// because nothing is read before what was read is written. One of the two is the client's, which may be slow only as
// far as is_too_slow allows.
#pragma once
#include "crypto/stream.hpp"
#include "http/body_reader.hpp"

#include <cstdint>
#include <functional>
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
    http::body_reader& reader;
    stream& to;
    std::string prefix;      // the head, written together with the first piece of the body
    bool chunked_out{false}; // frame what goes out in chunks
    std::uint64_t limit{std::numeric_limits<std::uint64_t>::max()};
    std::chrono::milliseconds read_limit{};
    std::chrono::milliseconds write_limit{};
    stream* client{nullptr}; // from or to
    /// Called when the job begins to wait for the client, and when it no longer does.
    std::function<void(bool begins)> on_client_wait{};
    std::uint64_t written{0}; // bytes of the body, without framing
    bool sent_any{false};
    // Between two steps.
    gather out{};
    std::string size_line{}; // of a chunk
    std::size_t consumed{0};
    coarse_clock::duration waited{}; // for the client
};

/// Bytes per second of waiting for a client: far below any modem, and enough to bound how long a body holds memory.
inline constexpr std::uint64_t least_rate = 512;
/// Has a client moved fewer bytes than least_rate per second of waiting for it? Its first seconds, the grace, are free.
[[nodiscard]] bool is_too_slow(std::uint64_t moved, coarse_clock::duration waited,
                               std::chrono::milliseconds grace) noexcept;
/// Writes what the buffer holds of the body, as far as it goes at once. nullopt: relay must follow.
[[nodiscard]] std::optional<relay_result> relay_at_once(relay_job& job);
/// Continues until all of the body is read; relay_at_once came before. After done, finish_writing must follow unless
/// out.done(), and the buffer still holds the last piece.
[[nodiscard]] task<relay_result> relay(relay_job& job);
/// Writes out. false: the sink is lost, or a client that takes too little.
[[nodiscard]] task<bool> finish_writing(relay_job& job);
/// The piece is written: its part of the buffer is free again.
void drop_piece(relay_job& job);

} // namespace recruiting::gateway
