#include "gateway/body_reader.hpp"

#include <algorithm>
#include <cstring>

namespace recruiting::gateway {
namespace {

constexpr std::size_t overhead_limit = 8 * 1024; // extensions, and trailers, of a whole body
constexpr unsigned size_digits_limit = 15;

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_text(char c) noexcept { return (c >= 0x20 && c != 0x7f) || c == '\t' || static_cast<unsigned char>(c) >= 0x80; }

} // namespace

body_reader::body_reader(framing how) noexcept
    : how_(how), left_(how.type == framing::kind::length ? how.length : 0), finished_(how.type == framing::kind::none) {
}

bool body_reader::finish_at_close() noexcept {
    if (how_.type == framing::kind::until_close) finished_ = true;
    return finished_;
}

body_reader::step body_reader::next(std::span<char> bytes) noexcept {
    if (finished_) return {{}, 0, true, false};
    if (how_.type == framing::kind::chunked) return next_chunked(bytes);
    auto const size = how_.type == framing::kind::length ? std::min<std::uint64_t>(left_, bytes.size()) : bytes.size();
    received_ += size;
    left_ -= how_.type == framing::kind::length ? size : 0;
    finished_ = how_.type == framing::kind::length && left_ == 0;
    return {{bytes.data(), static_cast<std::size_t>(size)}, static_cast<std::size_t>(size), finished_, false};
}

body_reader::step body_reader::next_chunked(std::span<char> bytes) noexcept {
    std::size_t read = 0;
    std::size_t written = 0;
    std::size_t begin = 0; // of the content: the first chunk's data stays where it is
    while (read < bytes.size() && !finished_) {
        if (state_ != at::data) {
            if (!take_framing(bytes[read])) return {{}, read, false, true};
            ++read;
            continue;
        }
        auto const size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - read));
        if (written == 0) begin = read;
        else std::memmove(bytes.data() + begin + written, bytes.data() + read, size);
        written += size;
        read += size;
        left_ -= size;
        received_ += size;
        if (left_ == 0) state_ = at::data_cr;
    }
    return {{bytes.data() + begin, written}, read, finished_, false};
}

// One character of anything but data. false: malformed.
bool body_reader::take_framing(char c) noexcept {
    switch (state_) {
    case at::size:
        if (int const value = hex_value(c); value >= 0) {
            left_ = left_ * 16 + static_cast<unsigned>(value);
            return ++digits_ <= size_digits_limit;
        }
        if (digits_ == 0 || (c != '\r' && c != ';')) return false;
        state_ = c == ';' ? at::extension : at::size_lf;
        return true;
    case at::extension:
        if (c == '\r') state_ = at::size_lf;
        return c == '\r' || (is_text(c) && ++overhead_ <= overhead_limit);
    case at::size_lf:
        state_ = left_ == 0 ? at::trailer_start : at::data;
        digits_ = 0;
        return c == '\n';
    case at::data_cr: state_ = at::data_lf; return c == '\r';
    case at::data_lf: state_ = at::size; return c == '\n';
    case at::trailer_start:
        state_ = c == '\r' ? at::end_lf : at::trailer;
        return c == '\r' || (is_text(c) && c != ' ' && c != '\t' && c != ':' && ++overhead_ <= overhead_limit);
    case at::trailer:
        if (c == '\r') state_ = at::trailer_lf;
        return c == '\r' || (is_text(c) && ++overhead_ <= overhead_limit);
    case at::trailer_lf: state_ = at::trailer_start; return c == '\n';
    case at::end_lf: finished_ = c == '\n'; return finished_;
    case at::data: break;
    }
    return false;
}

} // namespace recruiting::gateway
