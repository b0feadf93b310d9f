// jobs.xml: all of an organization's open jobs in the form job boards import (Indeed's XML feed: source and job). It is
// written in pieces while the client reads it: ten thousand jobs are thirty megabytes, memory use stays flat, and no
// other request waits.
#pragma once
#include "http/message.hpp"
#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {

[[nodiscard]] std::string job_board_beginning(published_organization const& of, std::vector<job_pointer> const& jobs,
                                              std::string_view public_url);
void append_job_board_job(std::string& out, std::string_view company, published_job const& job);
inline constexpr std::string_view job_board_end = "</source>\n";

/// With its ETag, made of the jobs' own.
[[nodiscard]] http::response job_board_answer(published_organization const& of, feed_setting const& at);

} // namespace recruiting::public_api
