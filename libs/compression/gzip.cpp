#include "compression/gzip.hpp"

#include <limits>
#include <map>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::compression {
namespace {

constexpr int gzip_format = 15 + 16; // the largest window, and a gzip header instead of zlib's (zlib.h: deflateInit2)
constexpr int memory_level = 8;

} // namespace

void gzip_stream::closer::operator()(z_stream_s* stream) const noexcept {
    deflateEnd(stream);
    delete stream;
}

gzip_stream::gzip_stream(int level) {
    auto made = std::make_unique<z_stream>();
    if (deflateInit2(made.get(), level, Z_DEFLATED, gzip_format, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    stream_.reset(made.release());
}

void gzip_stream::add(std::string_view piece, std::string& out) {
    if (!piece.empty()) write(piece, Z_SYNC_FLUSH, out);
}

void gzip_stream::finish(std::string_view piece, std::string& out) {
    write(piece, Z_FINISH, out);
    deflateReset(stream_.get());
}

void gzip_stream::write(std::string_view text, int flush, std::string& out) {
    if (text.size() > std::numeric_limits<uInt>::max() / 2) throw std::length_error("too long to be compressed");
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib does not write there
    stream_->avail_in = static_cast<uInt>(text.size());
    auto room = deflateBound(stream_.get(), static_cast<uLong>(text.size()));
    auto size = out.size();
    int result = Z_OK;
    do { // once, but for what an earlier piece left to be written
        out.resize(size + room);
        stream_->next_out = reinterpret_cast<Bytef*>(out.data() + size);
        stream_->avail_out = static_cast<uInt>(room);
        result = deflate(stream_.get(), flush);
        size += room - stream_->avail_out;
    } while (stream_->avail_out == 0);
    out.resize(size);
    if (result != (flush == Z_FINISH ? Z_STREAM_END : Z_OK)) throw std::logic_error("deflate did not finish");
}

std::string gzip(std::string_view text, int level) {
    thread_local std::map<int, gzip_stream> kept; // a quarter of a megabyte, not made anew for each body
    std::string out;
    kept.try_emplace(level, level).first->second.finish(text, out);
    out.shrink_to_fit();
    return out;
}

} // namespace recruiting::compression
