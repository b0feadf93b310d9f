// Moves one body from one connection to the other through the reader's buffer: bounded memory, and back-pressure
// because nothing is read before what was read is written.
#pragma once
#include "gateway/body_reader.hpp"
#include "gateway/stream.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace recruiting::gateway {

struct relay_job {
    stream& from;
    byte_buffer& buffer; // of from; may hold the body's beginning, and what follows the body
    body_reader reader;
    stream& to;
    std::string prefix;      // the head, written together with the first piece of the body
    bool chunked_out{false}; // frame what goes out in chunks
    std::uint64_t limit{std::numeric_limits<std::uint64_t>::max()};
    std::chrono::milliseconds read_limit{};
    std::chrono::milliseconds write_limit{};
    std::uint64_t written{0}; // bytes of the body, without framing
    bool sent_any{false};
};

enum class relay_result { done, source_closed, source_timed_out, source_malformed, too_large, sink_lost };

[[nodiscard]] task<relay_result> relay(relay_job& job);

} // namespace recruiting::gateway
