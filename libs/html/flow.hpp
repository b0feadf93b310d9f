// Writes a sanitised description from what its text wants around it: a tag is written only when text needs it, so that
// no element is empty, none stands where a browser would move it, and formatting that crosses blocks is split at them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::html {

class flow {
public:
    /// strong, em, or a with its address. An element inside one of its own name adds nothing.
    bool begin_inline(std::string_view name, std::string_view address = {});
    void end_inline();
    /// p, h2, h3 or h4; "" breaks the line without asking for an element.
    void begin_block(std::string_view name);
    void end_block();
    void begin_list(std::string_view name); // ul or ol
    void end_list();
    void begin_item();
    void end_item();
    void line_break();
    void text(std::string_view text);
    [[nodiscard]] std::string finish();

private:
    struct formatting {
        std::string_view name;
        std::string address;
        bool operator==(formatting const&) const = default;
    };
    struct list {
        std::string_view name;
        bool written{false};
        bool item_written{false};
    };
    void close_inlines(std::size_t keep);
    void close_block();
    void open_block();
    void open_inlines();

    std::string out_;
    std::vector<formatting> wanted_inlines_;
    std::vector<formatting> open_inlines_;
    std::string_view wanted_block_;
    std::string_view open_block_;
    std::vector<list> lists_;
    bool loose_{false};   // text stands in an item without a block around it
    bool at_start_{true}; // of a block: white space would not be shown
};

} // namespace recruiting::html
