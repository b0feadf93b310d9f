// Which answers are sent compressed (RFC 9110 sections 8.4 and 12.5.3), and the one wrapper of zlib: text as gzip
// (RFC 1952) or as raw deflate (RFC 1951), whole or piece by piece.
#pragma once
#include "http/message.hpp"

#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace recruiting::compression {

/// Text above 1 KiB: below, it all travels in one packet anyway. Of a stream the type decides.
[[nodiscard]] bool is_worth_compressing(http::response const& answer) noexcept;

/// Sends the answer as gzip where that is worth it and Accept-Encoding asks for it; a stream page by page. Says Vary
/// wherever it depends on that field. Call last: length and validators are those of what is sent. level: 1 to 9; 0
/// leaves every answer as it is.
void compress(http::response& answer, std::string_view accept_encoding, int level);

enum class format { raw, gzip }; // raw: without header and checksum

/// A text that is made while it is sent. Holds a quarter of a megabyte, whatever the text's length.
class deflate_stream {
public:
    /// level: 1, the fastest, to 9, the smallest.
    deflate_stream(format as, int level);

    /// Appends to out what the reader needs to have all of piece, and of what came before it.
    void add(std::string_view piece, std::string& out);
    /// Appends the last piece and the end. The next one begins another text.
    void finish(std::string_view piece, std::string& out);

private:
    struct closer {
        void operator()(z_stream_s* stream) const noexcept;
    };
    void write(std::string_view text, int flush, std::string& out);

    std::unique_ptr<z_stream_s, closer> stream_;
};

/// level: 1, the fastest, to 9, the smallest.
[[nodiscard]] std::string gzip(std::string_view text, int level);

/// Raw deflate: for text that stays compressed in memory.
[[nodiscard]] std::string deflate(std::string_view text);
/// Throws std::runtime_error for what deflate did not make.
[[nodiscard]] std::string inflate(std::string_view compressed);

} // namespace recruiting::compression
