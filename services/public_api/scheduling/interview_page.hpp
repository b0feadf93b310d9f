// The page of an e-mailed link: the interview, another time, cancelling. Works without JavaScript; with it, times are
// shown in the visitor's zone too. Pure.
#pragma once
#include "http/message.hpp"
#include "public_api/scheduling/manage_store.hpp"

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
};

[[nodiscard]] http::response interview_page(interview_view const& view);
/// The link is unknown, expired or mistyped: 404.
[[nodiscard]] http::response dead_link_page();

} // namespace recruiting::public_api
