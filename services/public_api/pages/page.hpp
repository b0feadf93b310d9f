// The frame of every page for people: head, styles, landmarks, and the fields that keep a browser strict. What is in it
// is written with html_writer; the classes it may use are those of style.cpp. Pages work without JavaScript.
#pragma once
#include "http/message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

struct page {
    std::string_view language{"en"}; // of its own words (words.hpp)
    std::string title;
    std::string organization; // whose page it is; "": nobody's
    std::string home;         // where the organization's name leads to; "": nowhere
    std::optional<std::string> logo_url;
    std::string head;        // more of the head, written already
    std::string main;        // what <main> holds, written already
    std::string_view script; // the one script it loads, a path of this host; "": none
    bool is_private{false};  // for the holder of a link only: kept by nobody, found by nobody, told to nobody
};

/// The answer with its Content-Security-Policy and the rest; status as given. A page that is not private may be kept
/// as dispatch says.
[[nodiscard]] http::response page_answer(page const& shown, unsigned status = 200);

} // namespace recruiting::public_api
