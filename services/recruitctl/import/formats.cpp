// Values that have a format of their own: keys, addresses, codes, times.
#include "core/text.hpp"
#include "core/time.hpp"
#include "directory/rules.hpp"
#include "mail/address.hpp"
#include "recruitctl/import/fields.hpp"
#include "words/codes.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

// "1.23457E+11", as spreadsheets show a long number.
bool is_shortened_number(std::string_view text) {
    auto const e = text.find("E+");
    if (e == text.npos || e == 0 || e + 2 == text.size()) return false;
    return text.substr(0, e).find_first_not_of("0123456789.,") == text.npos &&
           text.substr(e + 2).find_first_not_of("0123456789") == text.npos;
}

} // namespace

// A web address with its spaces as %20; only those before the path remain, where they are wrong.
std::string encode_spaces(std::string_view text) {
    std::string url(trim(text));
    if (!url.starts_with("http")) return url;
    auto const path = url.find_first_of("/?#", std::min(url.find("://"), url.size() - 3) + 3);
    for (auto at = path; at < url.size() && (at = url.find(' ', at)) != url.npos;) url.replace(at, 1, "%20");
    return url;
}

std::optional<std::string> field_mapper::required_key(std::string_view name, std::string_view column) {
    auto key = required_text(name, column, short_text);
    if (key && is_shortened_number(*key))
        refuse(name, "invalid_id",
               "is a number that a spreadsheet has shortened: format the column as text or as a number without "
               "decimals, and save the file again");
    return key;
}

void field_mapper::email(std::string_view name, std::string_view column) {
    auto const key_column = std::string(column) + "_key";
    auto const* value = value_of(name, column);
    if (value_of(name, key_column) == nullptr) return;
    auto const typed = value->is_string() ? trim(std::string_view(value->get_string())) : std::string_view();
    if (auto problem = mail::address_problem(typed)) {
        refuse(name, "invalid_email", std::move(*problem));
        leave_out(column);
        return leave_out(key_column);
    }
    append_json_string(open_column(column), typed);
    append_json_string(open_column(key_column), mail::canonical_address(typed).value());
}

void field_mapper::apply_url(std::string_view name, std::string_view column) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return;
    auto const url = value->is_string() ? encode_spaces(std::string_view(value->get_string())) : std::string();
    if (auto wrong = directory::wrong_apply_url(url)) {
        refuse(name, "invalid_url", std::move(*wrong));
        leave_out(column);
    } else append_json_string(open_column(column), url);
}

void field_mapper::country(std::string_view name, std::string_view column) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return;
    auto const code = value->is_string() ? country_code(trim(std::string_view(value->get_string()))) : std::string();
    if (!code.empty()) return append_json_string(open_column(column), code);
    refuse(name, "invalid_code", "must be a country's two letters (ISO 3166-1)");
    leave_out(column);
}

std::optional<std::string> field_mapper::currency(std::string_view name, std::string_view column) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return std::nullopt;
    auto code = to_upper(value->is_string() ? trim(std::string_view(value->get_string())) : std::string_view());
    if (currency_decimals(code)) {
        append_json_string(open_column(column), code);
        return code;
    }
    refuse(name, "invalid_code", "must be a currency's three letters (ISO 4217)");
    leave_out(column);
    return std::nullopt;
}

// A date is read as midnight in UTC, whose year, month and day are then those of the zone's midnight. Where the clock
// jumps over that, the day begins at one.
std::optional<timestamp> field_mapper::read_time(std::string_view text, bool end_of_day) const {
    constexpr std::size_t date_size = 10; // "2026-12-31"
    std::string when(text);
    if (when.size() > date_size && when[date_size] == ' ') when[date_size] = 'T';
    if (when.size() != date_size) return parse_time_with_offset(when);
    auto const midnight = parse_time_with_offset(when + "T00:00:00Z");
    if (!midnight) return std::nullopt;
    auto const day = zones::to_local(*midnight + std::chrono::hours(end_of_day ? 24 : 0), "UTC");
    auto begin = zones::from_local({day.year, day.month, day.day, 0, 0}, of_.zone);
    if (!begin) begin = zones::from_local({day.year, day.month, day.day, 1, 0}, of_.zone);
    if (begin && end_of_day) *begin -= std::chrono::seconds(1);
    return begin;
}

void field_mapper::time(std::string_view name, std::string_view column, bool nullable, bool end_of_day) {
    auto const* value = nullable ? value_of(name, column) : take(name);
    if (value == nullptr || value->is_null()) return;
    std::optional<timestamp> when;
    if (value->is_string()) when = read_time(trim(std::string_view(value->get_string())), end_of_day);
    using namespace std::chrono;
    static constexpr timestamp first{sys_days{year{1900} / 1 / 1}.time_since_epoch()};
    static constexpr timestamp end{sys_days{year{2200} / 1 / 1}.time_since_epoch()};
    if (when && *when >= first && *when < end)
        return append_json_string(open_column(column), format_time_micros(*when));
    refuse(name, "invalid_time", "must be a date, or an RFC 3339 date and time with its offset, from 1900 to 2199");
    if (nullable) leave_out(column);
}

} // namespace recruiting::recruitctl
