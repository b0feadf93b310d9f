#include "html/text.hpp"

#include "core/text.hpp"
#include "html/flow.hpp"
#include "html/tree.hpp"

#include <optional>
#include <utility>

namespace recruiting::html {
namespace {

enum class part { unwrapped, line_break, inline_element, link, block, list, item };

struct meaning {
    part kind{part::unwrapped};
    std::string_view name;
};

meaning meaning_of(std::string_view element) {
    if (element == "br") return {part::line_break, {}};
    if (element == "a") return {part::link, "a"};
    if (element == "strong" || element == "b") return {part::inline_element, "strong"};
    if (element == "em" || element == "i") return {part::inline_element, "em"};
    if (element == "ul" || element == "menu" || element == "dir") return {part::list, "ul"};
    if (element == "ol") return {part::list, "ol"};
    if (element == "li") return {part::item, {}};
    if (element == "p") return {part::block, "p"};
    if (element == "h1" || element == "h2") return {part::block, "h2"};
    if (element == "h3") return {part::block, "h3"};
    if (element == "h4" || element == "h5" || element == "h6") return {part::block, "h4"};
    return {is_block(element) ? part::block : part::unwrapped, {}};
}

// Browsers skip control characters inside a scheme ("java\tscript:"): an address that holds any is out. An address must
// be absolute, for descriptions are shown on pages of many hosts; a space in it is written as browsers would send it.
std::optional<std::string> safe_address(std::string_view address) {
    address = trim(address);
    bool known = false;
    for (std::string_view const beginning : {"https://", "http://", "mailto:"})
        known = known || (iequals(address.substr(0, beginning.size()), beginning) && address.size() > beginning.size());
    if (!known) return std::nullopt;
    std::string safe;
    for (char const c : address) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) return std::nullopt;
        if (c == ' ') safe += "%20";
        else safe += c;
    }
    return safe;
}

std::optional<std::string> address_of(xmlNode const* link) {
    std::unique_ptr<xmlChar, void (*)(xmlChar*)> const href(xmlGetProp(link, reinterpret_cast<xmlChar const*>("href")),
                                                            [](xmlChar* text) { xmlFree(text); });
    return safe_address(view(href.get()));
}

class sanitizer {
public:
    bool enter(xmlNode const* node) {
        if (is_text(node)) out_.text(view(node->content));
        if (node->type != XML_ELEMENT_NODE || is_dropped(view(node->name))) return false;
        auto const meant = meaning_of(view(node->name));
        if (begin(node, meant)) entered_.emplace_back(node, meant.kind);
        return true;
    }
    void leave(xmlNode const* node) {
        if (entered_.empty() || entered_.back().first != node) return;
        end(entered_.back().second);
        entered_.pop_back();
    }
    std::string result() { return out_.finish(); }

private:
    // Is there something to end?
    bool begin(xmlNode const* node, meaning const& meant) {
        switch (meant.kind) {
        case part::unwrapped: return false;
        case part::line_break: return out_.line_break(), false;
        case part::inline_element: return out_.begin_inline(meant.name);
        case part::link: {
            auto const address = address_of(node);
            return address && out_.begin_inline("a", *address);
        }
        case part::block: return out_.begin_block(meant.name), true;
        case part::list: return out_.begin_list(meant.name), true;
        case part::item: return out_.begin_item(), true;
        }
        return false;
    }
    void end(part kind) {
        switch (kind) {
        case part::unwrapped:
        case part::line_break: return;
        case part::inline_element:
        case part::link: return out_.end_inline();
        case part::block: return out_.end_block();
        case part::list: return out_.end_list();
        case part::item: return out_.end_item();
        }
    }

    flow out_;
    std::vector<std::pair<xmlNode const*, part>> entered_;
};

} // namespace

std::string sanitize(std::string_view html) {
    auto const tree = parse(html);
    if (!tree) return {};
    sanitizer kept;
    auto const enter = [&](xmlNode const* node) { return kept.enter(node); };
    walk(tree, enter, [&](xmlNode const* node) { kept.leave(node); });
    return kept.result();
}

} // namespace recruiting::html
