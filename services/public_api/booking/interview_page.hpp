// The page of an e-mailed link: the interview, another time, cancelling. Works without JavaScript; with it, times are
// shown in the visitor's zone too. Pure.
#pragma once
#include "http/message.hpp"
#include "public_api/booking/manage_store.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/html_writer.hpp"
#include "words/words.hpp"

#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// What became of the form that led here: a word in the address, "" for none. Others than ours show nothing.
struct interview_view {
    presented_booking const& booking;
    std::vector<timestamp> free; // times to choose from, soonest first
    std::string_view token;
    std::string_view notice; // booked, unchanged, canceled, taken, closed, choose
    timestamp now;
    words const& in;
};

[[nodiscard]] http::response interview_page(interview_view const& view);
/// The link is unknown, expired or mistyped: 404.
[[nodiscard]] http::response dead_link(call const& from);

/// Parts of the page that the join page shows too: a time, with what the script needs to show the visitor's own beside
/// it, and a row of the facts.
void write_interview_time(html_writer& html, timestamp time, std::string const& zone, words const& in);
void write_interview_fact(html_writer& html, std::string_view name, std::string_view content);

} // namespace recruiting::public_api
