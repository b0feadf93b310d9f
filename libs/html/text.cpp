#include "html/text.hpp"

#include "core/text.hpp"
#include "html/tree.hpp"

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

void append_collapsed(std::string& out, std::string_view text) {
    for (char const c : text) {
        bool const space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!space) out += c;
        else if (!out.empty() && out.back() != ' ' && out.back() != '\n') out += ' ';
    }
}

void break_line(std::string& out, std::size_t line_ends) {
    while (!out.empty() && out.back() == ' ') out.pop_back();
    if (out.empty()) return;
    auto const last = out.find_last_not_of('\n');
    auto const have = last == std::string::npos ? out.size() : out.size() - last - 1;
    if (have < line_ends) out.append(line_ends - have, '\n');
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

std::string to_text(std::string_view html) {
    std::string out;
    auto const tree = parse(html);
    if (!tree) return out;
    auto const enter = [&out](xmlNode const* node) {
        if (is_text(node)) append_collapsed(out, view(node->content));
        if (node->type != XML_ELEMENT_NODE) return false;
        auto const name = view(node->name);
        if (is_dropped(name)) return false;
        if (name == "br") break_line(out, 1);
        else if (name == "li") {
            break_line(out, 1);
            out += "- ";
        } else if (is_block(name) && !out.ends_with("- ")) break_line(out, 2);
        return true;
    };
    auto const leave = [&out](xmlNode const* node) {
        if (node->type != XML_ELEMENT_NODE) return;
        if (view(node->name) == "li") break_line(out, 1);
        else if (is_block(view(node->name))) break_line(out, 2);
    };
    walk(tree, enter, leave);
    return std::string(trim(out));
}

std::string unescaped(std::string_view text) {
    std::string out;
    auto const tree = text.find('<') == std::string_view::npos ? parse(text) : nullptr;
    if (!tree) return std::string(text);
    auto const enter = [&out](xmlNode const* node) {
        if (is_text(node)) out += view(node->content);
        return node->type == XML_ELEMENT_NODE;
    };
    walk(tree, enter, [](xmlNode const*) {});
    return out;
}

std::string from_text(std::string_view text) {
    std::string out;
    bool open = false;
    for (auto line : split(text, '\n')) {
        line = trim(line);
        if (line.empty()) {
            if (open) out += "</p>";
            open = false;
            continue;
        }
        out += open ? "<br>" : "<p>";
        open = true;
        append_escaped(out, line);
    }
    if (open) out += "</p>";
    return out;
}

} // namespace recruiting::html
