// HTML of any quality as libxml2's tree, for the files of this library only: nothing outside sees libxml2.
#pragma once
#include <libxml/HTMLparser.h>
#include <memory>
#include <string_view>

namespace recruiting::html {

struct free_document {
    void operator()(xmlDoc* document) const noexcept { xmlFreeDoc(document); }
};
using document = std::unique_ptr<xmlDoc, free_document>;

/// Null when there is nothing to read. Takes UTF-8, whatever the text says of itself; what is longer than a mebibyte,
/// nested deeper than libxml2 goes, or a tag of hundreds of attributes, is cut off there: reading takes linear time.
[[nodiscard]] document parse(std::string_view html);

[[nodiscard]] inline std::string_view view(xmlChar const* text) {
    return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<char const*>(text));
}

[[nodiscard]] inline bool is_text(xmlNode const* node) {
    return node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
}
/// What these hold is not text for readers.
[[nodiscard]] bool is_dropped(std::string_view element);
/// Text before, in and after one of these stands on lines of its own.
[[nodiscard]] bool is_block(std::string_view element);

/// A walk of all nodes without recursion: how deep an author nests elements must not be how deep our stack goes. enter
/// says whether to go down; leave is called for every node that was entered.
template <class Enter, class Leave>
void walk(document const& of, Enter enter, Leave leave) {
    auto* const root = xmlDocGetRootElement(of.get());
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

} // namespace recruiting::html
