// JSON as tools answer it, read without trusting its shape: what is missing or of another type reads as empty.
#pragma once
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// A view of one value of a result; the result outlives it.
class record {
public:
    record() = default;
    explicit record(boost::json::value const* value) : value_(value) {}

    /// False of what is missing, and of null.
    [[nodiscard]] explicit operator bool() const noexcept { return value_ != nullptr && !value_->is_null(); }
    [[nodiscard]] record operator[](std::string_view name) const noexcept;
    [[nodiscard]] std::vector<record> items() const;
    [[nodiscard]] std::string_view text() const noexcept;
    [[nodiscard]] std::string_view text(std::string_view name) const noexcept { return (*this)[name].text(); }
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const noexcept;
    [[nodiscard]] bool is_true(std::string_view name) const noexcept;

private:
    boost::json::value const* value_{nullptr};
};

/// A result's text; nullopt: not JSON.
[[nodiscard]] std::optional<boost::json::value> read_result(std::string_view text);

} // namespace recruiting::auth_api::agent::responder
