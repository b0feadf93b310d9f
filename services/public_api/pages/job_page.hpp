// GET /careers/{slug}/jobs/{jobId}: one job, with its facts, its description and the choice of an interview's time.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"
#include "words/words.hpp"

#include <string>

namespace recruiting::public_api {

// A job's facts in the reader's language. Pure.
/// "60,000–80,000 EUR per year"; "" when no salary is published.
[[nodiscard]] std::string salary_in_words(published_job const& job, words const& in);
/// "Engineering · Berlin · Hybrid · Full time", of what is known.
[[nodiscard]] std::string summary_in_words(published_job const& job, words const& in);

/// Another organization's job is not found here.
[[nodiscard]] result<plan> get_job_page(call const& from);

} // namespace recruiting::public_api
