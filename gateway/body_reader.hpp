// Follows a body's framing in bytes as they arrive, and gives its content: the same for all kinds of framing. Pure.
#pragma once
#include "gateway/framing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace recruiting::gateway {

class body_reader {
public:
    explicit body_reader(framing how = {}) noexcept;

    struct step {
        std::string_view content; // lies within the bytes given
        std::size_t consumed{0};  // of the bytes given: content, framing and all
        bool finished{false};     // the body is complete
        bool malformed{false};    // chunk syntax (RFC 9112 section 7.1)
    };
    /// Takes what it can of the bytes. Chunks are joined in place, so one call gives one piece of content. Chunk
    /// extensions and trailers are read over and dropped, within limits.
    [[nodiscard]] step next(std::span<char> bytes) noexcept;
    /// The sender closed: is what came the whole body?
    [[nodiscard]] bool finish_at_close() noexcept;
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] std::uint64_t received() const noexcept { return received_; }

private:
    enum class at { size, extension, size_lf, data, data_cr, data_lf, trailer_start, trailer, trailer_lf, end_lf };
    [[nodiscard]] step next_chunked(std::span<char> bytes) noexcept;
    [[nodiscard]] bool take_framing(char c) noexcept;

    framing how_;
    std::uint64_t left_{0}; // of the length, or of the chunk
    std::uint64_t received_{0};
    std::size_t overhead_{0}; // bytes of extensions or trailers
    unsigned digits_{0};
    at state_{at::size};
    bool finished_{false};
};

} // namespace recruiting::gateway
