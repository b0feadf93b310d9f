#include "html_sanitize.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <libxml/HTMLparser.h>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace recruiting::recruitctl {
namespace {

struct free_document {
    void operator()(xmlDoc* document) const noexcept { xmlFreeDoc(document); }
};
using document = std::unique_ptr<xmlDoc, free_document>;

document parse(std::string_view html) {
    // No network, no complaints on stderr, and no charset out of the text itself: it is UTF-8.
    constexpr int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                            HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC;
    static bool const ready = (xmlInitParser(), true);
    static_cast<void>(ready);
    return document{htmlReadMemory(html.data(), static_cast<int>(html.size()), nullptr, "UTF-8", options)};
}

std::string_view view(xmlChar const* text) {
    return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<char const*>(text));
}

template <class Names>
bool contains(Names const& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array kept{std::string_view("p"),  std::string_view("br"), std::string_view("ul"),
                          std::string_view("ol"), std::string_view("li"), std::string_view("strong"),
                          std::string_view("em"), std::string_view("h2"), std::string_view("h3"),
                          std::string_view("h4"), std::string_view("a")};
// What these hold is not text for readers.
constexpr std::array dropped{std::string_view("script"),   std::string_view("style"),    std::string_view("head"),
                             std::string_view("title"),    std::string_view("iframe"),   std::string_view("object"),
                             std::string_view("embed"),    std::string_view("template"), std::string_view("noscript"),
                             std::string_view("textarea"), std::string_view("select"),   std::string_view("svg"),
                             std::string_view("math"),     std::string_view("form"),     std::string_view("noembed"),
                             std::string_view("noframes"), std::string_view("xmp"),      std::string_view("plaintext")};
constexpr std::array blocks{
    std::string_view("p"),       std::string_view("ul"),         std::string_view("ol"),  std::string_view("li"),
    std::string_view("h1"),      std::string_view("h2"),         std::string_view("h3"),  std::string_view("h4"),
    std::string_view("h5"),      std::string_view("h6"),         std::string_view("div"), std::string_view("section"),
    std::string_view("article"), std::string_view("blockquote"), std::string_view("pre"), std::string_view("table"),
    std::string_view("tr"),      std::string_view("dl"),         std::string_view("main")};
constexpr std::array paragraphs{
    std::string_view("div"),        std::string_view("section"), std::string_view("article"),
    std::string_view("blockquote"), std::string_view("pre"),     std::string_view("tr"),
    std::string_view("dt"),         std::string_view("dd"),      std::string_view("main")};

bool holds_block(xmlNode const* node) {
    for (auto const* child = node->children; child != nullptr; child = child->next)
        if (child->type == XML_ELEMENT_NODE && contains(blocks, view(child->name))) return true;
    return false;
}

bool within(xmlNode const* node, std::string_view name) {
    for (auto const* parent = node->parent; parent != nullptr; parent = parent->parent)
        if (view(parent->name) == name) return true;
    return false;
}

// The element this one is written as; empty: only its content is.
std::string_view written_as(xmlNode const* node) {
    auto const name = view(node->name);
    if (name == "b") return "strong";
    if (name == "i") return "em";
    if (name == "h1") return "h2";
    if (name == "h5" || name == "h6") return "h4";
    if (contains(kept, name)) return name;
    // Text of two divisions must not run together.
    if (contains(paragraphs, name) && !holds_block(node) && !within(node, "p") && !within(node, "li")) return "p";
    return {};
}

void append_escaped(std::string& out, std::string_view text) {
    for (char const c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
}

// Browsers skip control characters and white space inside a scheme ("java\tscript:"): an address that holds any is out.
std::optional<std::string_view> safe_address(std::string_view address) {
    address = trim(address);
    for (char const c : address)
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) return std::nullopt;
    auto const colon = address.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    auto const scheme = address.substr(0, colon);
    if (iequals(scheme, "http") || iequals(scheme, "https") || iequals(scheme, "mailto")) return address;
    return std::nullopt;
}

bool open_element(std::string& out, xmlNode* node, std::string_view name) {
    if (name != "a") {
        out.append("<").append(name).append(">");
        return name != "br";
    }
    auto* const href = xmlGetProp(node, reinterpret_cast<xmlChar const*>("href"));
    std::unique_ptr<xmlChar, void (*)(xmlChar*)> const owned(href, [](xmlChar* text) { xmlFree(text); });
    auto const address = safe_address(view(href));
    if (!address) return false;
    out += "<a href=\"";
    append_escaped(out, *address);
    out += "\">";
    return true;
}

// A walk without recursion: how deep an author nests elements must not be how deep our stack goes.
template <class Enter, class Leave>
void walk(xmlNode* root, Enter enter, Leave leave) {
    for (auto* node = root; node != nullptr;) {
        bool const down = enter(node) && node->children != nullptr;
        if (down) {
            node = node->children;
            continue;
        }
        leave(node);
        while (node != root && node->next == nullptr) {
            node = node->parent;
            leave(node);
        }
        if (node == root) return;
        node = node->next;
    }
}

bool is_text(xmlNode const* node) { return node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE; }

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

namespace {

// Writes the kept elements. Text and inline elements that stand in no block get a paragraph of their own.
class sanitizer {
public:
    bool enter(xmlNode* node) {
        if (is_text(node)) {
            auto const text = view(node->content);
            if (!trim(text).empty()) begin_loose_paragraph();
            append_escaped(out_, text);
        }
        if (node->type != XML_ELEMENT_NODE || contains(dropped, view(node->name))) return false;
        auto const name = written_as(node);
        if (name.empty()) return true;
        if (contains(inlines, name)) begin_loose_paragraph();
        else end_loose_paragraph();
        if (open_element(out_, node, name)) open_.emplace_back(node, name);
        return true;
    }
    void leave(xmlNode const* node) {
        if (open_.empty() || open_.back().first != node) return;
        out_.append("</").append(open_.back().second).append(">");
        open_.pop_back();
    }
    std::string result() {
        end_loose_paragraph();
        return std::string(trim(out_));
    }

private:
    static constexpr std::array inlines{std::string_view("strong"), std::string_view("em"), std::string_view("a"),
                                        std::string_view("br")};
    void begin_loose_paragraph() {
        if (loose_ || !open_.empty()) return;
        out_ += "<p>";
        loose_ = true;
    }
    void end_loose_paragraph() {
        if (!loose_ || !open_.empty()) return;
        out_ += "</p>";
        loose_ = false;
    }

    std::string out_;
    std::vector<std::pair<xmlNode const*, std::string_view>> open_;
    bool loose_{false};
};

} // namespace

std::string sanitize_html(std::string_view html) {
    auto const tree = parse(html);
    if (!tree) return {};
    sanitizer kept_part;
    if (auto* root = xmlDocGetRootElement(tree.get()))
        walk(
            root, [&](xmlNode* node) { return kept_part.enter(node); },
            [&](xmlNode const* node) { kept_part.leave(node); });
    return kept_part.result();
}

std::string html_to_text(std::string_view html) {
    std::string out;
    auto const tree = parse(html);
    if (!tree) return out;
    auto const enter = [&out](xmlNode const* node) {
        if (is_text(node)) append_collapsed(out, view(node->content));
        if (node->type != XML_ELEMENT_NODE) return false;
        auto const name = view(node->name);
        if (contains(dropped, name)) return false;
        if (name == "br") break_line(out, 1);
        else if (name == "li") {
            break_line(out, 1);
            out += "- ";
        } else if (contains(blocks, name) && !out.ends_with("- ")) break_line(out, 2);
        return true;
    };
    auto const leave = [&out](xmlNode const* node) {
        if (node->type != XML_ELEMENT_NODE) return;
        if (view(node->name) == "li") break_line(out, 1);
        else if (contains(blocks, view(node->name))) break_line(out, 2);
    };
    if (auto* root = xmlDocGetRootElement(tree.get())) walk(root, enter, leave);
    return std::string(trim(out));
}

std::string text_to_html(std::string_view text) {
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

} // namespace recruiting::recruitctl
