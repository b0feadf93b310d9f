// The fields of a small JSON object as a request's body, read strictly (RFC 8259): a field given twice is refused, for
// readers disagree on which one counts. Pure.
#pragma once
#include "core/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct json_field {
    enum class kind { text, null, other };
    std::string name;
    kind type{kind::other};
    std::string text; // of kind text
};

class json_fields {
public:
    /// Not JSON, or not an object: a problem.
    explicit json_fields(std::string_view body);

    /// A field that must be a string, and there once. null is as good as absent, unless it is required.
    enum class presence { required, optional };
    [[nodiscard]] std::optional<std::string> text(std::string_view name, presence wanted = presence::optional);

    void problem(std::string_view name, std::string_view reason, std::string message);
    [[nodiscard]] bool ok() const noexcept { return problems_.empty(); }
    [[nodiscard]] std::vector<error_detail> take_problems() { return std::move(problems_); }

private:
    bool readable_{true};
    std::vector<json_field> fields_;
    std::vector<error_detail> problems_;
};

} // namespace recruiting::public_api
