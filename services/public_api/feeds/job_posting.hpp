// schema.org JobPosting as Google for Jobs reads it
// (https://developers.google.com/search/docs/appearance/structured-data/job-posting). Pure.
#pragma once
#include "public_api/catalogue/catalogue.hpp"

#include <string>

namespace recruiting::public_api {

/// JSON-LD that can stand inside <script> as it is: it holds no <, > and &. What is not known is left out.
[[nodiscard]] std::string job_posting(published_organization const& organization, published_job const& job);

/// JSON made fit for <script>: what could end it is written as an escape.
[[nodiscard]] std::string in_script(std::string_view json);

} // namespace recruiting::public_api
