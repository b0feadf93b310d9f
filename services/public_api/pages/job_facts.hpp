// A job's facts in a reader's words. Pure.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "words/words.hpp"

#include <string>

namespace recruiting::public_api {

/// "60,000–80,000 EUR per year"; "" when no salary is published.
[[nodiscard]] std::string salary_in_words(published_job const& job, words const& in);
/// "Engineering · Berlin · Hybrid · Full time", of what is known.
[[nodiscard]] std::string summary_in_words(published_job const& job, words const& in);

} // namespace recruiting::public_api
