// The one reader of JSON bodies, for both services. It reads strictly (RFC 8259) and in linear time: an object of at
// most 64 members, each given once, for readers disagree on which one of two counts. Programs that use it link
// Boost.JSON. Pure.
#pragma once
#include "core/error.hpp"
#include "core/ids.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

struct json_field {
    enum class kind { text, texts, integer, number, boolean, null, other }; // number: no std::int64_t
    std::string name;
    kind type{kind::other};
    std::string text;               // of kind text
    std::vector<std::string> texts; // of kind texts: an array of nothing but strings
    std::int64_t integer{0};        // of kind integer; of kind boolean 0 or 1
};

class json_fields {
public:
    static constexpr std::size_t most_fields = 64;

    /// Problems: malformed_json, wrong_type (not an object), too_many members, a member that is repeated.
    explicit json_fields(std::string_view body);

    // One field each. null is as good as absent, unless the field is required. Problems: missing, wrong_type.
    enum class presence { required, optional };
    [[nodiscard]] std::optional<std::string> text(std::string_view name, presence wanted = presence::optional);
    /// An array of strings. Problems also: too_many.
    [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view name, presence wanted,
                                                                std::size_t most);
    /// Problems also: out_of_range.
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);
    [[nodiscard]] std::optional<bool> boolean(std::string_view name);
    /// Problems also: invalid.
    [[nodiscard]] std::optional<uuid> id(std::string_view name, presence wanted = presence::required);
    /// A required time in UTC. Problems also: invalid.
    [[nodiscard]] std::optional<timestamp> time(std::string_view name);
    /// Each member with another name is a problem: unknown.
    void refuse_others(std::initializer_list<std::string_view> known);

    void problem(std::string_view name, std::string_view reason, std::string message);
    [[nodiscard]] bool ok() const noexcept { return problems_.empty(); }
    [[nodiscard]] std::vector<error_detail> take_problems() { return std::move(problems_); }
    /// 400 with the problems.
    [[nodiscard]] api_error error() { return invalid_request(take_problems()); }

private:
    void refuse_repeated();
    /// The field, where it is there and not null.
    [[nodiscard]] json_field* find(std::string_view name, presence wanted, std::string_view type_message);
    std::nullopt_t refuse_type(std::string_view name, std::string_view type_message);

    bool readable_{true};
    std::vector<json_field> fields_; // by name; of a repeated one none
    std::vector<std::string> repeated_;
    std::vector<error_detail> problems_;
};

} // namespace recruiting::http
