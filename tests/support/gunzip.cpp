#include "support/gunzip.hpp"

#include <array>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::test {

gunzipped gunzip(std::string_view bytes) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    gunzipped out;
    int result = Z_OK;
    do {
        std::array<char, 16384> piece{};
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        result = inflate(&stream, Z_SYNC_FLUSH);
        out.text.append(piece.data(), piece.size() - stream.avail_out);
    } while (result == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0));
    out.whole = result == Z_STREAM_END && stream.avail_in == 0;
    inflateEnd(&stream);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) throw std::runtime_error("not gzip");
    return out;
}

} // namespace recruiting::test
