// What is read of a body: Beast's parser follows the framing and reports content and chunks; here they are joined,
// limited and held to the strict profile. The same however the bytes are cut. Pure.
#pragma once
#include "http/strict_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace recruiting::http {

enum class body_fault : std::uint8_t { none, malformed, trailers_too_large };

class body_reader {
public:
    struct step {
        std::string_view content; // lies within the bytes given
        std::size_t consumed{0};  // of the bytes given: content, framing and all
        bool finished{false};     // the body is complete
        body_fault fault{body_fault::none};
    };
    /// Takes what it can of the bytes; what is not consumed must come again, with more behind it. Chunks are joined in
    /// place, so one call gives one piece of content.
    [[nodiscard]] step next(std::span<char> bytes);
    /// The sender closed: is what came the whole body?
    [[nodiscard]] bool finish_at_close();
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] std::uint64_t received() const noexcept { return received_; }

    virtual ~body_reader() = default;
    body_reader(body_reader const&) = delete;
    body_reader& operator=(body_reader const&) = delete;

protected:
    explicit body_reader(chunk_limits const& limits) noexcept : limits_(limits) {}

    enum class progress : std::uint8_t { more, last_chunk, complete, malformed };
    /// Runs the parser, which reports through the three below; consumed: how far it came.
    virtual progress parse(std::span<char const> bytes, std::size_t& consumed) = 0;
    virtual bool parse_end() = 0;
    /// section: with the empty line that ends it.
    [[nodiscard]] virtual body_fault check_trailers(std::string_view section) const = 0;
    void begin_body(bool none, bool chunked) noexcept {
        finished_ = none;
        chunked_ = chunked;
    }
    void take_content(std::string_view piece) noexcept;
    [[nodiscard]] chunk_limits const& limits() const noexcept { return limits_; }
    /// A chunk's size line. false: refused.
    [[nodiscard]] bool take_chunk(std::string_view extensions) noexcept;

private:
    void take_trailers(std::string_view bytes, std::size_t& consumed);
    [[nodiscard]] body_fault check_incomplete(std::string_view rest) const noexcept;
    [[nodiscard]] bool may_end_here(std::string_view bytes) const noexcept;

    chunk_limits limits_;
    std::span<char> bytes_; // of the call in progress, as are the next four
    std::size_t begin_{0};  // where the content is: the first chunk's data stays where it came
    std::size_t written_{0};
    std::size_t chunk_at_{0}; // where the last size line may begin
    std::size_t line_end_{0}; // behind the last chunk's size, before its CRLF
    std::size_t extension_bytes_{0};
    std::uint64_t received_{0};
    bool chunked_{false};
    bool has_chunk_{false};
    bool finished_{false};
    body_fault fault_{body_fault::none};
};

} // namespace recruiting::http
