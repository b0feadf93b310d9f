// jobs.xml as an answer that is made while the client takes it: memory stays flat, and no other request waits while
// ten thousand jobs are written.
#pragma once
#include "http/message.hpp"
#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {

/// With its ETag, made of the jobs' own.
[[nodiscard]] http::response job_board_answer(published_organization const& of, feed_setting const& at);

} // namespace recruiting::public_api
