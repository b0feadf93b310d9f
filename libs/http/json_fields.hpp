// The one reader of JSON bodies, for both services. It reads strictly (RFC 8259) and in linear time: an object of at
// most 64 members, each given once, for readers disagree on which one of two counts. Programs that use it link
// Boost.JSON. Pure.
#pragma once
#include "core/error.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

struct json_field {
    enum class kind { text, null, other };
    std::string name;
    kind type{kind::other};
    std::string text; // of kind text
};

class json_fields {
public:
    static constexpr std::size_t most_fields = 64;

    /// Problems: malformed_json, wrong_type (not an object), too_many members, a member that is repeated.
    explicit json_fields(std::string_view body);

    /// A field that must be a string. null is as good as absent, unless the field is required. Problems: missing,
    /// wrong_type.
    enum class presence { required, optional };
    [[nodiscard]] std::optional<std::string> text(std::string_view name, presence wanted = presence::optional);
    /// Each member with another name is a problem: unknown.
    void refuse_others(std::initializer_list<std::string_view> known);

    void problem(std::string_view name, std::string_view reason, std::string message);
    [[nodiscard]] bool ok() const noexcept { return problems_.empty(); }
    [[nodiscard]] std::vector<error_detail> take_problems() { return std::move(problems_); }

private:
    void refuse_repeated();

    bool readable_{true};
    std::vector<json_field> fields_; // by name; of a repeated one none
    std::vector<std::string> repeated_;
    std::vector<error_detail> problems_;
};

} // namespace recruiting::http
