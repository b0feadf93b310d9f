#include "public_api/gzip.hpp"

#include <limits>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::public_api {
namespace {

constexpr int gzip_format = 15 + 16; // the largest window, and a gzip header instead of zlib's (zlib.h: deflateInit2)
constexpr int level = 6;
constexpr int memory_level = 8;

class deflater {
public:
    deflater() {
        if (deflateInit2(&stream_, level, Z_DEFLATED, gzip_format, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~deflater() { deflateEnd(&stream_); }
    deflater(deflater const&) = delete;
    deflater& operator=(deflater const&) = delete;

    std::string all_of(std::string_view text) {
        if (text.size() > std::numeric_limits<uInt>::max() / 2) throw std::length_error("too long to be compressed");
        deflateReset(&stream_);
        std::string out(deflateBound(&stream_, static_cast<uLong>(text.size())), '\0');
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib does not write there
        stream_.avail_in = static_cast<uInt>(text.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) throw std::logic_error("deflate did not finish");
        out.resize(stream_.total_out);
        out.shrink_to_fit();
        return out;
    }

private:
    z_stream stream_{};
};

} // namespace

std::string gzip(std::string_view text) {
    thread_local deflater one; // a quarter of a megabyte, not made anew for each body
    return one.all_of(text);
}

gzip_cache::shared_text gzip_cache::get(std::string_view etag, std::string_view text) {
    if (auto const known = found_.find(etag); known != found_.end()) {
        kept_.splice(kept_.begin(), kept_, known->second);
        return known->second->compressed;
    }
    auto const compressed = std::make_shared<std::string const>(gzip(text));
    if (compressed->size() > most_bytes_) return compressed;
    kept_.push_front({std::string(etag), compressed});
    found_.emplace(kept_.front().etag, kept_.begin());
    bytes_ += compressed->size();
    while (bytes_ > most_bytes_) drop_last();
    return compressed;
}

void gzip_cache::drop_last() {
    bytes_ -= kept_.back().compressed->size();
    found_.erase(kept_.back().etag);
    kept_.pop_back();
}

} // namespace recruiting::public_api
