// What search engines, feed readers and link previews read of a page.
#pragma once
#include <string>

namespace recruiting::public_api {

struct page_head {
    std::string title;
    std::string site;
    std::string description;
    std::string canonical; // absolute
    std::string image;     // absolute; "": none
    std::string rss;       // absolute; "": none
    std::string json_feed;
    std::string json_ld; // fit for <script> already
    bool is_found{true}; // by search engines
};

/// For page::head.
[[nodiscard]] std::string written(page_head const& head);

} // namespace recruiting::public_api
