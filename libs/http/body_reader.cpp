#include "http/body_reader.hpp"

#include "core/text.hpp"

#include <cstring>

namespace recruiting::http {

body_reader::step body_reader::next(std::span<char> bytes) {
    if (finished_) return {{}, 0, true, body_fault::none};
    if (fault_ != body_fault::none) return {{}, 0, false, fault_};
    if (bytes.empty()) return {};
    bytes_ = bytes;
    begin_ = written_ = chunk_at_ = 0;
    std::size_t consumed = 0;
    std::string_view const text(bytes.data(), bytes.size());
    auto const how = may_end_here(text) ? progress::more : parse(bytes, consumed);
    if (how == progress::malformed) fault_ = body_fault::malformed;
    else if (how == progress::last_chunk) take_trailers(text, consumed);
    else if (how == progress::more && consumed < bytes.size()) fault_ = check_incomplete(text.substr(consumed));
    finished_ = finished_ || how == progress::complete;
    received_ += written_;
    if (fault_ != body_fault::none) return {{}, consumed, false, fault_};
    return {text.substr(begin_, written_), consumed, finished_, body_fault::none};
}

// "0\r\n" and perhaps one byte more, of a body without any content: once Beast (1.81 to 1.83 at least) has seen the
// first three, it asserts that five come next.
bool body_reader::may_end_here(std::string_view bytes) const noexcept {
    constexpr std::size_t last_chunk = 5;
    return chunked_ && !has_chunk_ && bytes.size() < last_chunk && bytes.starts_with("0\r\n");
}

bool body_reader::finish_at_close() {
    finished_ = finished_ || (fault_ == body_fault::none && parse_end());
    return finished_;
}

void body_reader::take_content(std::string_view piece) noexcept {
    auto const at = static_cast<std::size_t>(piece.data() - bytes_.data());
    if (written_ == 0) begin_ = at;
    else std::memmove(bytes_.data() + begin_ + written_, piece.data(), piece.size());
    written_ += piece.size();
    chunk_at_ = at + piece.size();
}

// Behind the data of a chunk stands its CRLF. The size's digits lie between that and the extensions.
bool body_reader::take_chunk(std::string_view extensions) noexcept {
    has_chunk_ = true;
    auto const end = static_cast<std::size_t>(extensions.data() - bytes_.data());
    auto begin = end;
    while (begin > chunk_at_ && hex_value(bytes_[begin - 1]) >= 0) --begin;
    line_end_ = end + extensions.size();
    extension_bytes_ += extensions.size();
    return extension_bytes_ <= limits_.extensions && is_strict_chunk({bytes_.data() + begin, end - begin}, extensions);
}

// Beast has seen that they are all there.
void body_reader::take_trailers(std::string_view bytes, std::size_t& consumed) {
    auto const end = bytes.find("\r\n\r\n", line_end_) + 4;
    auto const section = bytes.substr(line_end_ + 2, end - line_end_ - 2);
    finished_ = section == "\r\n";
    if (!finished_) fault_ = check_trailers(section);
    finished_ = fault_ == body_fault::none;
    if (finished_) consumed = end;
}

// Checks a chunk's size line, or trailers, of which Beast wants to see more before it decides: the limits hold already,
// and what can't become right is refused.
body_fault body_reader::check_incomplete(std::string_view rest) const noexcept {
    constexpr std::size_t digits_most = 16;
    if (has_bare_line_end(rest)) return body_fault::malformed;
    if (rest.starts_with("\r\n")) rest.remove_prefix(2);
    auto const line_end = rest.find("\r\n");
    auto const line = rest.substr(0, line_end);
    auto const extensions = line.size() - std::min(line.find(';'), line.size());
    if (line.size() - extensions > digits_most || extension_bytes_ + extensions > limits_.extensions + 1)
        return body_fault::malformed;
    if (line_end == std::string_view::npos) return body_fault::none;
    auto const trailers = rest.substr(line_end + 2);
    bool const is_last = rest.starts_with("0\r") ||
                         rest.starts_with("0;"); // else its size line is complete, and a quote in it is still open
    if (!is_last || rest.find("\r\n\r\n", line_end) != std::string_view::npos) return body_fault::malformed;
    return trailers.size() > limits_.trailers + 2 ? body_fault::trailers_too_large : body_fault::none;
}

} // namespace recruiting::http
