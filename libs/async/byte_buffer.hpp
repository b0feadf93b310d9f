// What was read and not yet used: flat, 16 KiB, grown only for a head that needs more, or a large body. No I/O.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting {

class byte_buffer {
public:
    static constexpr std::size_t standard_size = 16 * 1024;
    static constexpr std::size_t wide_size = 64 * 1024;

    byte_buffer() = default;
    ~byte_buffer() { drop(); }
    byte_buffer(byte_buffer const&) = delete;
    byte_buffer& operator=(byte_buffer const&) = delete;

    void swap(byte_buffer& other) noexcept {
        bytes_.swap(other.bytes_);
        std::swap(capacity_, other.capacity_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
    }

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
    /// Holds no storage while it is empty: a connection that waits costs none.
    void rest() noexcept {
        if (begin_ == end_) drop();
    }
    /// Room for more at a time: a large body then costs fewer system calls.
    void widen() {
        if (capacity_ < wide_size) move_to(std::make_unique_for_overwrite<char[]>(wide_size), wide_size);
    }

private:
    using storage = std::unique_ptr<char[]>;
    // What the thread's buffers use next: a few pieces of memory that stay in the processor's cache go round.
    static std::vector<storage>& spare() {
        thread_local std::vector<storage> pieces;
        return pieces;
    }
    static constexpr std::size_t free_list_limit = 64;

    void grow() {
        if (capacity_ == 0 && !spare().empty()) {
            move_to(std::move(spare().back()), standard_size);
            spare().pop_back();
            return;
        }
        auto const larger = capacity_ == 0 ? standard_size : capacity_ * 2;
        move_to(std::make_unique_for_overwrite<char[]>(larger), larger);
    }
    void move_to(storage bytes, std::size_t capacity) noexcept {
        auto const held = size();
        if (held > 0) std::memcpy(bytes.get(), bytes_.get() + begin_, held);
        drop();
        bytes_ = std::move(bytes);
        capacity_ = capacity;
        end_ = held;
    }
    void drop() noexcept {
        if (capacity_ == standard_size && spare().size() < free_list_limit) spare().push_back(std::move(bytes_));
        bytes_.reset();
        capacity_ = begin_ = end_ = 0;
    }

    storage bytes_;
    std::size_t capacity_{0};
    std::size_t begin_{0};
    std::size_t end_{0};
};

/// Pieces that are written together with one gather write.
class gather {
public:
    static constexpr std::size_t most = 6;

    void add(std::string_view piece) noexcept {
        if (!piece.empty()) pieces_[count_++] = piece;
    }
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t sum = 0;
        for (auto const piece : rest()) sum += piece.size();
        return sum;
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
    std::string_view pieces_[most];
    std::size_t first_{0};
    std::size_t count_{0};
};

} // namespace recruiting
