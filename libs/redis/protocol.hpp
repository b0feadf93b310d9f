// The Redis protocol (RESP 2) without I/O: commands out as bytes, answers in as values.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace recruiting::redis {

/// Commands that are written together and answered together, in order.
class batch {
public:
    void add(std::initializer_list<std::string_view> words);
    void clear() noexcept; // its storage stays
    [[nodiscard]] std::string const& bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

private:
    std::string bytes_;
    std::size_t size_{0};
};

struct reply {
    enum class kind { nil, integer, text, error, array };
    kind type{kind::nil};
    std::int64_t integer{0};
    std::string text; // of text, status and error
    std::vector<reply> elements;

    [[nodiscard]] bool is_error() const noexcept { return type == kind::error; }
};

/// What arrived is not RESP: the connection can't be used further.
class protocol_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Takes bytes as they come and gives whole replies.
class reply_reader {
public:
    reply_reader();

    void feed(std::string_view bytes);         // throws protocol_error
    [[nodiscard]] std::optional<reply> next(); // nullopt: more bytes are needed; throws protocol_error

private:
    struct free_reader {
        void operator()(redisReader* reader) const noexcept;
    };
    std::unique_ptr<redisReader, free_reader> reader_;
};

} // namespace recruiting::redis
