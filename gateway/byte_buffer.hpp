// What was read and not yet used: flat, 16 KiB, grown only for a head that needs more. No I/O.
#pragma once
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace recruiting::gateway {

class byte_buffer {
public:
    static constexpr std::size_t standard_size = 16 * 1024;

    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get() + begin_, end_ - begin_}; }
    [[nodiscard]] std::span<char> bytes() noexcept { return {bytes_.get() + begin_, end_ - begin_}; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }

    /// Room to read into; never empty. What is held moves to the front when the rest is short, and the buffer doubles
    /// when it is full.
    [[nodiscard]] std::span<char> prepare() {
        if (begin_ == end_) begin_ = end_ = 0;
        if (capacity_ - end_ < capacity_ / 2 && begin_ > 0) {
            std::memmove(bytes_.get(), bytes_.get() + begin_, size());
            end_ -= begin_;
            begin_ = 0;
        }
        if (end_ == capacity_) grow();
        return {bytes_.get() + end_, capacity_ - end_};
    }
    void commit(std::size_t size) noexcept { end_ += size; }
    void consume(std::size_t size) noexcept { begin_ += size; }

private:
    void grow() {
        auto const larger = capacity_ == 0 ? standard_size : capacity_ * 2;
        auto bytes = std::make_unique_for_overwrite<char[]>(larger);
        if (end_ > 0) std::memcpy(bytes.get(), bytes_.get(), end_);
        bytes_ = std::move(bytes);
        capacity_ = larger;
    }

    std::unique_ptr<char[]> bytes_;
    std::size_t capacity_{0};
    std::size_t begin_{0};
    std::size_t end_{0};
};

/// Pieces that are written together with one gather write.
class gather {
public:
    void add(std::string_view piece) noexcept {
        if (!piece.empty()) pieces_[count_++] = piece;
    }
    /// This much was written.
    void advance(std::size_t size) noexcept {
        while (size > 0 && first_ < count_) {
            auto& piece = pieces_[first_];
            auto const step = std::min(size, piece.size());
            piece.remove_prefix(step);
            size -= step;
            if (piece.empty()) ++first_;
        }
    }
    [[nodiscard]] std::span<std::string_view const> rest() const noexcept {
        return {pieces_ + first_, count_ - first_};
    }
    [[nodiscard]] bool done() const noexcept { return first_ == count_; }

private:
    std::string_view pieces_[6];
    std::size_t first_{0};
    std::size_t count_{0};
};

} // namespace recruiting::gateway
