#include "compression/deflate.hpp"

#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::compression {
namespace {

constexpr int raw_format = -15; // the largest window, without header and checksum (zlib.h: deflateInit2)

struct end_deflate {
    void operator()(z_stream* stream) const noexcept {
        deflateEnd(stream);
        delete stream;
    }
};
struct end_inflate {
    void operator()(z_stream* stream) const noexcept {
        inflateEnd(stream);
        delete stream;
    }
};
using deflater = std::unique_ptr<z_stream, end_deflate>;
using inflater = std::unique_ptr<z_stream, end_inflate>;

deflater make_deflater() {
    constexpr int best_for_kilobytes = 6; // higher levels gain nothing there
    constexpr int memory = 8;
    auto made = std::make_unique<z_stream>();
    if (deflateInit2(made.get(), best_for_kilobytes, Z_DEFLATED, raw_format, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    return deflater(made.release());
}

inflater make_inflater() {
    auto made = std::make_unique<z_stream>();
    if (inflateInit2(made.get(), raw_format) != Z_OK) throw std::bad_alloc();
    return inflater(made.release());
}

void give(z_stream& stream, std::string_view text) {
    if (text.size() > std::numeric_limits<uInt>::max() / 2) throw std::length_error("too long to be compressed");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib does not write there
    stream.avail_in = static_cast<uInt>(text.size());
}

} // namespace

std::string deflate(std::string_view text) {
    thread_local deflater const stream = make_deflater(); // a quarter of a megabyte, made once per thread
    deflateReset(stream.get());
    give(*stream, text);
    std::string out(deflateBound(stream.get(), static_cast<uLong>(text.size())), '\0');
    stream->next_out = reinterpret_cast<Bytef*>(out.data());
    stream->avail_out = static_cast<uInt>(out.size());
    if (::deflate(stream.get(), Z_FINISH) != Z_STREAM_END) throw std::logic_error("deflate did not finish");
    return {out.data(), out.size() - stream->avail_out}; // of its own size
}

std::string inflate(std::string_view compressed) {
    thread_local inflater const stream = make_inflater();
    inflateReset(stream.get());
    give(*stream, compressed);
    std::string out;
    int result = Z_OK;
    while (result == Z_OK) {
        auto const size = out.size();
        out.resize(size + 4 * compressed.size() + 64);
        stream->next_out = reinterpret_cast<Bytef*>(out.data() + size);
        stream->avail_out = static_cast<uInt>(out.size() - size);
        result = ::inflate(stream.get(), Z_NO_FLUSH);
        out.resize(out.size() - stream->avail_out);
    }
    if (result != Z_STREAM_END || stream->avail_in > 0) throw std::runtime_error("not compressed text");
    return out;
}

} // namespace recruiting::compression
