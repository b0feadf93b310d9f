#include "auth_api/agent/builtin/time_range.hpp"

#include "auth_api/agent/builtin/wording.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::seconds;

constexpr std::int64_t longest_look_back = std::int64_t{10} * 366 * 86'400; // seconds

timestamp midnight(timestamp time) { return floor<days>(time); }

time_range since(timestamp from) { return {from, std::nullopt, "since " + minute_of(format_time(from)) + " (UTC)"}; }

time_range one_day(timestamp from, std::string words) { return {from, from + days{1}, std::move(words)}; }

std::optional<time_range> named_day(prompt const& asked, timestamp now) {
    auto const& words = asked.words();
    auto const found = std::ranges::find(words, sense::day, &word::is);
    if (found == words.end()) return std::nullopt;
    auto const today = midnight(now);
    if (found->value == "0") return one_day(today, "today (UTC)");
    if (found->value == "1") return one_day(today - days{1}, "yesterday (UTC)");
    if (found->value == "week") {
        auto const weekday = std::chrono::weekday(std::chrono::sys_days(floor<days>(now)));
        return since(today - days{weekday.iso_encoding() - 1});
    }
    if (found->value == "month") {
        std::chrono::year_month_day const date(floor<days>(now));
        return since(std::chrono::sys_days(date.year() / date.month() / 1));
    }
    auto const date = *parse_time(found->text + "T00:00:00Z"); // the prompt's words know only such as can be read
    bool const open_end = found != words.begin() && (found - 1)->is == sense::preposition && (found - 1)->value.empty();
    return open_end ? since(date) : one_day(date, "on " + found->text + " (UTC)");
}

std::int64_t number_before(std::vector<word> const& words, std::size_t at) {
    if (at == 0 || words[at - 1].is != sense::number) return 1;
    auto const& one = words[at - 1];
    return parse_number<std::int64_t>(one.value.empty() ? std::string_view(one.text) : one.value)
        .value_or(longest_look_back);
}

} // namespace

time_range time_range_in(prompt const& asked, timestamp now) {
    if (auto const day = named_day(asked, now)) return *day;
    auto const& words = asked.words();
    auto const unit = std::ranges::find(words, sense::time_unit, &word::is);
    if (unit == words.end()) return {};
    auto const length = *parse_number<std::int64_t>(unit->value);
    auto const count = number_before(words, static_cast<std::size_t>(unit - words.begin()));
    return since(now - seconds{std::min(count, longest_look_back / length) * length});
}

} // namespace recruiting::auth_api::agent::responder
