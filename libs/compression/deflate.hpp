// The one wrapper of zlib: text as gzip (RFC 1952) or as raw deflate (RFC 1951), whole or piece by piece.
#pragma once
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace recruiting::compression {

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
