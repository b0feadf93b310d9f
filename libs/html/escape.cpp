#include "html/escape.hpp"

namespace recruiting::html {

namespace {

std::string_view reference_for(char c) noexcept {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return {};
    }
}

} // namespace

// Most text has nothing to escape: it is taken in runs.
void append_escaped(std::string& out, std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto const reference = reference_for(text[at]);
        if (reference.empty()) continue;
        out.append(text, begin, at - begin).append(reference);
        begin = at + 1;
    }
    out.append(text, begin);
}

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    append_escaped(out, text);
    return out;
}

} // namespace recruiting::html
