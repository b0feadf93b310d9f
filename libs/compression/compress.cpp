#include "compression/compress.hpp"

#include "compression/deflate.hpp"
#include "http/handler.hpp"

#include <algorithm>

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

} // namespace recruiting::compression
