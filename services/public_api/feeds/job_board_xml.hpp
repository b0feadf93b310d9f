// All of an organization's open jobs in the form job boards take in (Indeed's XML feed: source and job). Pure, and made
// in pieces: ten thousand jobs are thirty megabytes.
#pragma once
#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {

[[nodiscard]] std::string job_board_beginning(published_organization const& of, std::vector<job_pointer> const& jobs,
                                              std::string_view public_url);
void append_job_board_job(std::string& out, std::string_view company, published_job const& job);
inline constexpr std::string_view job_board_end = "</source>\n";

} // namespace recruiting::public_api
