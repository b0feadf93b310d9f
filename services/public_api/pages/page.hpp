// The frame of every page for people: head, styles, landmarks, and the fields that keep a browser strict. What is in it
// is written with html_writer; the classes it may use are those of assets.cpp. Pages work without JavaScript.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"
#include "public_api/catalogue/catalogue.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// The metadata that search engines, feed readers and link previews read.
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

struct page {
    std::string_view language{"en"}; // of its own words (words.hpp)
    std::string title;
    std::string organization; // whose page it is; "": of none
    std::string home;         // where the organization's name leads to; "": nowhere
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color; // "#rrggbb"; else the pages' own
    std::optional<page_head> head;           // nullopt: nothing that finds or previews pages may read this one
    std::string main;                        // what <main> holds, written already
    std::string_view script;                 // the one script it loads, a path of this host; "": none
    bool is_private{false}; // for the holder of a link only: not cached, not indexed, not sent as a referrer
};

/// Puts an organization's name, careers page, logo and accent colour on a page.
void show_owner(page& shown, published_organization const& of);

/// The answer with its Content-Security-Policy and the rest; status as given. A page that is not private may be kept
/// as dispatch says.
[[nodiscard]] http::response page_answer(page const& shown, unsigned status = 200);

/// A refusal: the API's envelope (http/problem), or a page where a browser asked for one outside the API. Status and
/// fields (Retry-After, Allow) are the same either way. of: whose careers pages were asked for, to which the page then
/// leads; null: no organization's.
[[nodiscard]] http::response refusal(api_error const& error, http::request const& req, std::string_view request_id,
                                     published_organization const* of = nullptr);

} // namespace recruiting::public_api
