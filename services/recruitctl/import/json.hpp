// What the readers of NDJSON and CSV share: the bytes of a file, and JSON texts.
#pragma once
#include "recruitctl/import/record.hpp"

#include <boost/json/value.hpp>
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::recruitctl {

/// Bytes of a stream in pieces of 64 KiB, so that a file larger than memory is read in constant space. Drops a UTF-8
/// byte order mark at the start.
class import_bytes {
public:
    explicit import_bytes(std::istream& from) : from_(from), buffer_(std::size_t{64} << 10U) {}

    /// What is at hand; empty at the end.
    [[nodiscard]] std::string_view available() {
        if (begin_ == end_) fill();
        return {buffer_.data() + begin_, end_ - begin_};
    }
    void consume(std::size_t count) noexcept { begin_ += count; }
    [[nodiscard]] std::uint64_t bytes_read() const noexcept { return read_ - (end_ - begin_); }

private:
    void fill() {
        from_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        if (from_.bad()) throw std::runtime_error("the input can't be read");
        begin_ = 0;
        end_ = static_cast<std::size_t>(from_.gcount());
        bool const first = read_ == 0;
        read_ += end_;
        if (first && std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) begin_ = 3;
    }

    std::istream& from_;
    std::vector<char> buffer_;
    std::size_t begin_{0};
    std::size_t end_{0};
    std::uint64_t read_{0};
};

/// The value of a JSON text, or what is wrong: strict RFC 8259, and beyond it no duplicate names (RFC 8259 section 4
/// leaves them open, and one of two values would be lost) and no number that only fits as infinity.
[[nodiscard]] std::variant<boost::json::value, problem> parse_json(std::string_view text);

} // namespace recruiting::recruitctl
