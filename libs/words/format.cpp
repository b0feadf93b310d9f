#include "words/format.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unicode/datefmt.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>
#include <unicode/numberrangeformatter.h>
#include <unicode/plurrule.h>
#include <unicode/timezone.h>
#include <unicode/ucurr.h>

namespace recruiting {
namespace {

// Tags and currencies come with requests: more of them than this, and what was made is forgotten.
constexpr std::size_t most_kept = 256;

// Making a formatter takes ICU some hundred microseconds, using it one or two. key: all that it was made of.
template <class Formatter>
Formatter& kept(std::string const& key, auto const& make) {
    thread_local std::map<std::string, std::unique_ptr<Formatter>> formatters;
    auto const found = formatters.find(key);
    if (found != formatters.end()) return *found->second;
    if (formatters.size() >= most_kept) formatters.clear();
    return *formatters.emplace(key, make()).first->second;
}

icu::Locale locale_of(std::string const& tag) { return icu::Locale(tag.c_str()); }

icu::StringPiece piece(std::string_view text) { return {text.data(), static_cast<std::int32_t>(text.size())}; }

icu::UnicodeString unicode(std::string_view text) { return icu::UnicodeString::fromUTF8(piece(text)); }

std::string utf8(icu::UnicodeString const& text) {
    std::string out;
    return text.toUTF8String(out);
}

// The region in a tag's second part, or "": "GB" of "en-GB", "419" of "es-419".
std::string region_of(std::string_view tag) {
    auto const begin = tag.find('-');
    if (begin == tag.npos) return {};
    auto const region = tag.substr(begin + 1, tag.find('-', begin + 1) - begin - 1);
    bool const letters = region.size() == 2 && region.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == region.npos;
    bool const digits = region.size() == 3 && region.find_first_not_of("0123456789") == region.npos;
    return letters || digits ? std::string(region) : std::string();
}

std::string number_text(std::int64_t number, reader const& to) {
    auto const make = [&] {
        return std::make_unique<icu::number::LocalizedNumberFormatter>(
            icu::number::NumberFormatter::withLocale(locale_of(to.tag)));
    };
    UErrorCode failed = U_ZERO_ERROR;
    auto const& format = kept<icu::number::LocalizedNumberFormatter>(to.tag, make);
    return utf8(format.formatInt(number, failed).toString(failed));
}

bool is_one(std::int64_t number, reader const& to) {
    UErrorCode failed = U_ZERO_ERROR;
    auto const make = [&] {
        return std::unique_ptr<icu::PluralRules>(icu::PluralRules::forLocale(locale_of(to.tag), failed));
    };
    auto const& rules = kept<icu::PluralRules>(to.tag, make);
    return rules.select(static_cast<std::int32_t>(number)) == icu::UnicodeString("one");
}

constexpr int most_decimals = 3; // of an amount in the database

// Either all amounts of a text are whole, or each has at least the decimals of its currency.
icu::number::UnlocalizedNumberFormatter money(std::string_view currency, bool is_whole) {
    using icu::number::Precision;
    UErrorCode failed = U_ZERO_ERROR;
    icu::CurrencyUnit const unit(piece(currency), failed);
    auto const decimals = std::min(ucurr_getDefaultFractionDigits(unit.getISOCurrency(), &failed), most_decimals);
    return icu::number::NumberFormatter::with().unit(unit).precision(
        is_whole ? Precision::integer() : Precision::minMaxFraction(decimals, most_decimals));
}

bool is_whole(std::string_view amount) noexcept { return amount.find('.') == amount.npos; }

std::string key_of(std::string_view currency, bool is_whole, reader const& to) {
    return to.tag + (is_whole ? " " : " . ") + std::string(currency);
}

std::string range_text(std::string_view min, std::string_view max, std::string_view currency, reader const& to) {
    using namespace icu::number;
    bool const whole = is_whole(min) && is_whole(max);
    auto const make = [&] {
        return std::make_unique<LocalizedNumberRangeFormatter>(
            NumberRangeFormatter::withLocale(locale_of(to.tag)).numberFormatterBoth(money(currency, whole)));
    };
    auto const key = key_of(currency, whole, to);
    auto const& format = kept<LocalizedNumberRangeFormatter>(key, make);
    UErrorCode failed = U_ZERO_ERROR;
    icu::Formattable const least(piece(min), failed);
    icu::Formattable const most(piece(max), failed);
    return utf8(format.formatFormattableRange(least, most, failed).toString(failed));
}

std::string money_text(std::string_view amount, std::string_view currency, reader const& to) {
    using namespace icu::number;
    bool const whole = is_whole(amount);
    auto const make = [&] {
        return std::make_unique<LocalizedNumberFormatter>(money(currency, whole).locale(locale_of(to.tag)));
    };
    auto const key = key_of(currency, whole, to);
    auto const& format = kept<LocalizedNumberFormatter>(key, make);
    UErrorCode failed = U_ZERO_ERROR;
    return utf8(format.formatDecimal(piece(amount), failed).toString(failed));
}

std::string amount_text(salary const& paid, reader const& to) {
    if (!paid.min) return fill(to.in.script.up_to, {{"amount", money_text(*paid.max, paid.currency, to)}});
    if (!paid.max) return fill(to.in.script.from, {{"amount", money_text(*paid.min, paid.currency, to)}});
    if (*paid.min == *paid.max) return money_text(*paid.min, paid.currency, to);
    return range_text(*paid.min, *paid.max, paid.currency, to);
}

} // namespace

reader requested_reader(std::string_view accept_language, std::string_view otherwise) {
    auto const& in = requested_words(accept_language, otherwise);
    std::string region;
    int highest = 0;
    while (!accept_language.empty()) {
        auto const [tag, quality] = take_weighted(accept_language);
        if (quality <= highest || find_words(tag) != &in) continue;
        if (auto found = region_of(tag); !found.empty()) {
            region = std::move(found);
            highest = quality;
        }
    }
    return {in, std::string(in.language) + (region.empty() ? "" : "-" + region)};
}

std::string describe_job_count(std::int64_t jobs, reader const& to) {
    return fill(is_one(jobs, to) ? to.in.script.jobs_one : to.in.script.jobs_other, {{"n", number_text(jobs, to)}});
}

std::string describe_choice(std::string_view choice, std::int64_t count, reader const& to) {
    return fill(to.in.choice, {{"choice", choice}, {"n", number_text(count, to)}});
}

std::string describe_salary(salary const& paid, reader const& to) {
    if (paid.currency.empty() || (!paid.min && !paid.max)) return {};
    auto const amount = amount_text(paid, to);
    auto const per = "per_" + std::string(paid.period);
    auto const text = word_for(to.in, per);
    return text == per ? amount : fill(text, {{"amount", amount}});
}

std::string describe_date(timestamp time, std::string const& zone, reader const& to) {
    auto const make = [&] {
        return std::unique_ptr<icu::DateFormat>(
            icu::DateFormat::createDateInstance(icu::DateFormat::kLong, locale_of(to.tag)));
    };
    auto& format = kept<icu::DateFormat>(to.tag, make);
    std::unique_ptr<icu::TimeZone> found(icu::TimeZone::createTimeZone(unicode(zone)));
    format.setTimeZone(*found == icu::TimeZone::getUnknown() ? *icu::TimeZone::getGMT() : *found);
    auto const milliseconds = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
    icu::UnicodeString text;
    return utf8(format.format(static_cast<UDate>(milliseconds), text));
}

std::string describe_country(std::string_view code, reader const& to) {
    std::string const country(code);
    auto const make = [&] {
        icu::UnicodeString name;
        icu::Locale("", country.c_str()).getDisplayCountry(locale_of(to.tag), name);
        return std::make_unique<std::string const>(name.isEmpty() ? country : utf8(name));
    };
    auto const key = to.tag + ' ' + country;
    return kept<std::string const>(key, make);
}

} // namespace recruiting
