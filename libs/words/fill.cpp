#include "words/fill.hpp"

#include <algorithm>

namespace recruiting {

std::string fill(std::string_view text, std::initializer_list<named_value> values) {
    std::string out;
    while (!text.empty()) {
        auto const open = text.find('{');
        out += text.substr(0, open);
        if (open == text.npos) break;
        text.remove_prefix(open);
        auto const close = text.find('}');
        auto const name = close == text.npos ? std::string_view() : text.substr(1, close - 1);
        auto const* const found =
            std::find_if(values.begin(), values.end(), [name](named_value const& one) { return one.name == name; });
        bool const is_named = close != text.npos && found != values.end();
        out += is_named ? found->value : text.substr(0, 1);
        text.remove_prefix(is_named ? close + 1 : 1);
    }
    return out;
}

} // namespace recruiting
