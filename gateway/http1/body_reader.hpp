// Follows a body's framing in bytes as they arrive, and gives its content: the same for all kinds of framing, and the
// same however the bytes are cut. Pure.
#pragma once
#include "gateway/http1/framing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace recruiting::gateway {

/// Of a whole body. Extensions and trailers are read over and dropped.
struct chunk_limits {
    std::size_t extensions{1024}; // bytes
    std::size_t trailers{8 * 1024};
    std::size_t trailer_fields{32};
};

enum class body_fault : std::uint8_t { none, malformed, trailers_too_large };

class body_reader {
public:
    explicit body_reader(framing how = {}, chunk_limits const& limits = {}) noexcept;

    struct step {
        std::string_view content; // lies within the bytes given
        std::size_t consumed{0};  // of the bytes given: content, framing and all
        bool finished{false};     // the body is complete
        body_fault fault{body_fault::none};
    };
    /// Takes what it can of the bytes. Chunks are joined in place, so one call gives one piece of content. Chunks are
    /// as RFC 9112 section 7.1 has them, without the blanks it tolerates and without leading zeros.
    [[nodiscard]] step next(std::span<char> bytes) noexcept;
    /// The sender closed: is what came the whole body?
    [[nodiscard]] bool finish_at_close() noexcept;
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] std::uint64_t received() const noexcept { return received_; }

private:
    enum class at : std::uint8_t {
        size,
        size_lf,
        data,
        data_cr,
        data_lf,
        extension, // after the semicolon, then within the name, the value …
        extension_name,
        extension_value,
        extension_token,
        extension_quoted,
        extension_escape,
        extension_end,
        trailer, // or the end of the body
        trailer_name,
        trailer_value,
        trailer_lf,
        end_lf,
    };
    [[nodiscard]] step next_chunked(std::span<char> bytes) noexcept;
    [[nodiscard]] bool take_framing(char c) noexcept;
    [[nodiscard]] bool take_size(char c) noexcept;
    [[nodiscard]] bool take_extension(char c) noexcept;
    [[nodiscard]] bool take_after_extension(char c) noexcept;
    [[nodiscard]] bool take_trailer(char c) noexcept;
    [[nodiscard]] bool move(bool allowed, at next) noexcept;

    framing how_;
    chunk_limits limits_;
    std::uint64_t left_{0}; // of the length, or of the chunk
    std::uint64_t received_{0};
    std::size_t extension_bytes_{0};
    std::size_t trailer_bytes_{0};
    std::size_t trailer_fields_{0};
    unsigned digits_{0};
    at state_{at::size};
    body_fault fault_{body_fault::none};
    bool finished_{false};
};

} // namespace recruiting::gateway
