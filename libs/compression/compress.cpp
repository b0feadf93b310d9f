#include "compression/compress.hpp"

#include "http/handler.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <stdexcept>
#include <zlib.h>

namespace recruiting::compression {
namespace {

constexpr std::size_t small_body = 1024;
// A body of tens of megabytes is compressed in pieces: other requests of the thread are served in between.
constexpr std::size_t most_at_once = std::size_t{1} << 20U;
constexpr std::size_t piece_size = std::size_t{256} << 10U;

bool is_text(std::string_view content_type) noexcept {
    auto const type = content_type.substr(0, content_type.find(';'));
    return type.starts_with("text/") || type.ends_with("json") || type.ends_with("xml") || type.ends_with("javascript");
}

bool has_field(http::response const& answer, std::string_view name) noexcept {
    return std::ranges::any_of(answer.headers, [name](auto const& field) { return field.first == name; });
}

class long_text final : public http::body_source {
public:
    explicit long_text(http::response& answer) : shared_(std::move(answer.shared_body)), own_(std::move(answer.body)) {}

    task<bool> next(std::string& out) override {
        std::string_view const text = shared_ ? *shared_ : own_;
        out += text.substr(at_, piece_size);
        at_ += piece_size;
        co_return at_ < text.size();
    }

private:
    std::shared_ptr<std::string const> shared_;
    std::string own_;
    std::size_t at_{0};
};

// Each piece can be read when it arrives: the client of an export sees it grow.
class compressed_body final : public http::body_source {
public:
    compressed_body(std::shared_ptr<http::body_source> plain, int level)
        : plain_(std::move(plain)), gzip_(format::gzip, level) {}

    task<bool> next(std::string& out) override {
        piece_.clear();
        bool const more = co_await plain_->next(piece_);
        if (more) gzip_.add(piece_, out);
        else gzip_.finish(piece_, out);
        co_return more;
    }

private:
    std::shared_ptr<http::body_source> plain_;
    deflate_stream gzip_;
    std::string piece_;
};

} // namespace

bool is_worth_compressing(http::response const& answer) noexcept {
    return is_text(answer.content_type) && (answer.stream || answer.content().size() > small_body);
}

void compress(http::response& answer, std::string_view accept_encoding, int level) {
    if (level == 0 || !is_worth_compressing(answer) || has_field(answer, "Content-Encoding")) return;
    answer.add("Vary", "Accept-Encoding");
    if (!http::prefers_gzip(accept_encoding)) return;
    answer.add("Content-Encoding", "gzip");
    if (answer.content().size() > most_at_once) answer.stream = std::make_shared<long_text>(answer);
    if (answer.stream) {
        answer.stream = std::make_shared<compressed_body>(std::move(answer.stream), level);
        return;
    }
    auto body = gzip(answer.content(), level);
    answer.clear_content();
    answer.body = std::move(body);
}

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
    thread_local std::map<int, deflate_stream> kept; // each a quarter of a megabyte, reused from body to body
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
