// Counts, money, dates and countries as a language and its region write them (Unicode CLDR, read with ICU). Browsers'
// Intl has the same rules: what a page says here, a widget says there.
#pragma once
#include "core/time.hpp"
#include "words/words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// Who reads: the words, and the language tag (BCP 47) whose region decides how numbers and dates are written.
struct reader {
    words const& in;
    std::string tag; // "en-GB", or "en" where no region is known
};
/// What an Accept-Language field asks for: the language as requested_words has it, with the region of the first tag of
/// that language that has one.
[[nodiscard]] reader requested_reader(std::string_view accept_language, std::string_view otherwise = "en");

/// "25 open positions"
[[nodiscard]] std::string describe_job_count(std::int64_t jobs, reader const& to);

/// "Engineering (12)": a choice, and how much it would leave.
[[nodiscard]] std::string describe_choice(std::string_view choice, std::int64_t count, reader const& to);

struct salary {
    std::optional<std::string_view> min; // "20.75", "60000": exact, in units of the currency
    std::optional<std::string_view> max;
    std::string_view currency; // ISO 4217
    std::string_view period;   // hour, day, week, month, year; "": none is named
};
/// "€60,000 – €80,000 a year", "from $20.50 an hour": whole amounts without decimals, others with all of their
/// currency's.
/// "" without an amount, and without a currency.
[[nodiscard]] std::string describe_salary(salary const& paid, reader const& to);

/// "24 November 2026", in an IANA time zone; in UTC where ICU does not know it.
[[nodiscard]] std::string describe_date(timestamp time, std::string const& zone, reader const& to);

/// "Germany" for "DE" (ISO 3166-1); the code itself where it is none.
[[nodiscard]] std::string describe_country(std::string_view code, reader const& to);

} // namespace recruiting
