#include "gateway/http1/body_reader.hpp"

#include "gateway/http1/characters.hpp"

#include <algorithm>
#include <cstring>

namespace recruiting::gateway {
namespace {

constexpr unsigned size_digits_limit = 15;

} // namespace

body_reader::body_reader(framing how, chunk_limits const& limits) noexcept
    : how_(how), limits_(limits), left_(how.type == framing::kind::length ? how.length : 0),
      finished_(how.type == framing::kind::none) {}

bool body_reader::finish_at_close() noexcept {
    if (how_.type == framing::kind::until_close) finished_ = true;
    return finished_;
}

body_reader::step body_reader::next(std::span<char> bytes) noexcept {
    if (finished_) return {{}, 0, true, body_fault::none};
    if (how_.type == framing::kind::chunked) return next_chunked(bytes);
    auto const size = how_.type == framing::kind::length ? std::min<std::uint64_t>(left_, bytes.size()) : bytes.size();
    received_ += size;
    left_ -= how_.type == framing::kind::length ? size : 0;
    finished_ = how_.type == framing::kind::length && left_ == 0;
    return {
        {bytes.data(), static_cast<std::size_t>(size)}, static_cast<std::size_t>(size), finished_, body_fault::none};
}

body_reader::step body_reader::next_chunked(std::span<char> bytes) noexcept {
    std::size_t read = 0;
    std::size_t written = 0;
    std::size_t begin = 0; // of the content: the first chunk's data stays where it is
    while (read < bytes.size() && !finished_) {
        if (state_ != at::data) {
            bool const good = fault_ == body_fault::none && take_framing(bytes[read]);
            if (!good && fault_ == body_fault::none) fault_ = body_fault::malformed;
            if (!good) return {{}, read, false, fault_};
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
    return {{bytes.data() + begin, written}, read, finished_, body_fault::none};
}

bool body_reader::move(bool allowed, at next) noexcept {
    state_ = next;
    return allowed;
}

// One character of anything but data. false: malformed, or over a limit.
bool body_reader::take_framing(char c) noexcept {
    if (state_ >= at::trailer) return take_trailer(c);
    if (state_ >= at::extension) return take_extension(c);
    switch (state_) {
    case at::size: return take_size(c);
    case at::size_lf: digits_ = 0; return move(c == '\n', left_ == 0 ? at::trailer : at::data);
    case at::data_cr: return move(c == '\r', at::data_lf);
    case at::data_lf: return move(c == '\n', at::size);
    default: return false;
    }
}

bool body_reader::take_size(char c) noexcept {
    if (int const value = hex_value(c); value >= 0) {
        if (digits_ > 0 && left_ == 0) return false; // a leading zero
        left_ = left_ * 16 + static_cast<unsigned>(value);
        return ++digits_ <= size_digits_limit;
    }
    return digits_ > 0 && take_after_extension(c);
}

bool body_reader::take_after_extension(char c) noexcept {
    return move(c == '\r' || c == ';', c == '\r' ? at::size_lf : at::extension);
}

bool body_reader::take_extension(char c) noexcept {
    if (++extension_bytes_ > limits_.extensions) return false;
    switch (state_) {
    case at::extension: return move(is(c, token_char), at::extension_name);
    case at::extension_name:
        if (is(c, token_char)) return true;
        return c == '=' ? move(true, at::extension_value) : take_after_extension(c);
    case at::extension_value:
        return move(c == '"' || is(c, token_char), c == '"' ? at::extension_quoted : at::extension_token);
    case at::extension_token: return is(c, token_char) || take_after_extension(c);
    case at::extension_quoted:
        if (is(c, quoted_char)) return true;
        return move(c == '"' || c == '\\', c == '"' ? at::extension_end : at::extension_escape);
    case at::extension_escape: return move(is(c, value_char), at::extension_quoted);
    case at::extension_end: return take_after_extension(c);
    default: return false;
    }
}

// Field lines as in a head, then the empty line.
bool body_reader::take_trailer(char c) noexcept {
    bool const ends = c == '\r' && state_ == at::trailer;
    if (state_ == at::trailer && !ends) ++trailer_fields_;
    if (++trailer_bytes_ > limits_.trailers + 2 || trailer_fields_ > limits_.trailer_fields) {
        fault_ = body_fault::trailers_too_large;
        return false;
    }
    switch (state_) {
    case at::trailer: return ends ? move(true, at::end_lf) : move(is(c, token_char), at::trailer_name);
    case at::trailer_name: return is(c, token_char) || move(c == ':', at::trailer_value);
    case at::trailer_value: return is(c, value_char) || move(c == '\r', at::trailer_lf);
    case at::trailer_lf: return move(c == '\n', at::trailer);
    case at::end_lf: finished_ = c == '\n'; return finished_;
    default: return false;
    }
}

} // namespace recruiting::gateway
