#include "compression/deflate.hpp"

#include <limits>
#include <map>
#include <new>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::compression {
namespace {

// The largest window (zlib.h: deflateInit2).
constexpr int raw_window = -15;
constexpr int gzip_window = 15 + 16;
constexpr int memory_level = 8;

struct end_inflate {
    void operator()(z_stream* stream) const noexcept {
        inflateEnd(stream);
        delete stream;
    }
};
using inflater = std::unique_ptr<z_stream, end_inflate>;

inflater make_inflater() {
    auto made = std::make_unique<z_stream>();
    if (inflateInit2(made.get(), raw_window) != Z_OK) throw std::bad_alloc();
    return inflater(made.release());
}

void give(z_stream& stream, std::string_view text) {
    if (text.size() > std::numeric_limits<uInt>::max() / 2) throw std::length_error("too long to be compressed");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib does not write there
    stream.avail_in = static_cast<uInt>(text.size());
}

} // namespace

void deflate_stream::closer::operator()(z_stream_s* stream) const noexcept {
    deflateEnd(stream);
    delete stream;
}

deflate_stream::deflate_stream(format as, int level) {
    auto made = std::make_unique<z_stream>();
    int const window = as == format::gzip ? gzip_window : raw_window;
    if (deflateInit2(made.get(), level, Z_DEFLATED, window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    stream_.reset(made.release());
}

void deflate_stream::add(std::string_view piece, std::string& out) {
    if (!piece.empty()) write(piece, Z_SYNC_FLUSH, out);
}

void deflate_stream::finish(std::string_view piece, std::string& out) {
    write(piece, Z_FINISH, out);
    deflateReset(stream_.get());
}

void deflate_stream::write(std::string_view text, int flush, std::string& out) {
    give(*stream_, text);
    auto longest = deflateBound(stream_.get(), static_cast<uLong>(text.size()));
    auto size = out.size();
    int result = Z_OK;
    do { // once, but for what an earlier piece left to be written
        out.resize(size + longest);
        stream_->next_out = reinterpret_cast<Bytef*>(out.data() + size);
        stream_->avail_out = static_cast<uInt>(longest);
        result = ::deflate(stream_.get(), flush);
        size += longest - stream_->avail_out;
    } while (stream_->avail_out == 0);
    out.resize(size);
    if (result != (flush == Z_FINISH ? Z_STREAM_END : Z_OK)) throw std::logic_error("deflate did not finish");
}

std::string gzip(std::string_view text, int level) {
    thread_local std::map<int, deflate_stream> kept; // a quarter of a megabyte, not made anew for each body
    std::string out;
    kept.try_emplace(level, format::gzip, level).first->second.finish(text, out);
    out.shrink_to_fit();
    return out;
}

std::string deflate(std::string_view text) {
    constexpr int best_for_kilobytes = 6; // higher levels gain nothing there
    thread_local deflate_stream stream(format::raw, best_for_kilobytes);
    std::string out;
    stream.finish(text, out);
    out.shrink_to_fit();
    return out;
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
