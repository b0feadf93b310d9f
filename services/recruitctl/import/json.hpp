// JSON texts as the import takes them: strict RFC 8259, and beyond it no duplicate names (RFC 8259 section 4 leaves
// them open, and one of two values would be lost) and no number that only fits as infinity.
#pragma once
#include "recruitctl/import/record.hpp"

#include <boost/json/value.hpp>
#include <variant>

namespace recruiting::recruitctl {

class json_text_parser {
public:
    json_text_parser();
    ~json_text_parser();
    json_text_parser(json_text_parser const&) = delete;
    json_text_parser& operator=(json_text_parser const&) = delete;

    /// The value, or what is wrong.
    [[nodiscard]] std::variant<boost::json::value, problem> parse(std::string_view text);

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::recruitctl
