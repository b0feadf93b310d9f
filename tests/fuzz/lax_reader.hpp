// A careless reader of heads, as some servers are: any line feed ends a line, blanks around names don't matter, nor do
// case and underscores. What the edge sends on must mean the same to it: that is what rules smuggling out.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::fuzz {

struct lax_head {
    std::string first_line;
    std::vector<std::pair<std::string, std::string>> fields;

    [[nodiscard]] std::vector<std::string> values(std::string_view name) const {
        std::vector<std::string> out;
        for (auto const& [known, value] : fields)
            if (known == name) out.push_back(value);
        return out;
    }
};

inline std::string lax_trim(std::string_view text) {
    auto const is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return std::string(text);
}

inline std::string lax_name(std::string_view text) {
    auto name = lax_trim(text);
    for (auto& c : name) {
        if (c == '_') c = '-';
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    return name;
}

inline lax_head read_laxly(std::string_view head) {
    lax_head out;
    while (!head.empty()) {
        auto const end = std::min(head.find('\n'), head.size());
        auto const line = head.substr(0, end);
        head.remove_prefix(std::min(end + 1, head.size()));
        auto const colon = line.find(':');
        if (out.first_line.empty()) out.first_line = lax_trim(line);
        else if (colon != std::string_view::npos)
            out.fields.emplace_back(lax_name(line.substr(0, colon)), lax_trim(line.substr(colon + 1)));
        else if (!lax_trim(line).empty()) out.fields.emplace_back("?", lax_trim(line));
    }
    return out;
}

} // namespace recruiting::fuzz
