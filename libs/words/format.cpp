#include "words/format.hpp"

#include "core/text.hpp"

#include <map>
#include <memory>
#include <unicode/datefmt.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>
#include <unicode/numberrangeformatter.h>
#include <unicode/plurrule.h>
#include <unicode/timezone.h>

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

icu::UnicodeString unicode(std::string_view text) {
    return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

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

icu::number::UnlocalizedNumberFormatter whole_money(std::string_view currency) {
    UErrorCode failed = U_ZERO_ERROR;
    icu::CurrencyUnit const unit(icu::StringPiece(currency.data(), static_cast<std::int32_t>(currency.size())), failed);
    return icu::number::NumberFormatter::with().unit(unit).precision(icu::number::Precision::integer());
}

std::string range_text(std::int64_t min, std::int64_t max, std::string_view currency, reader const& to) {
    using namespace icu::number;
    auto const make = [&] {
        return std::make_unique<LocalizedNumberRangeFormatter>(
            NumberRangeFormatter::withLocale(locale_of(to.tag)).numberFormatterBoth(whole_money(currency)));
    };
    auto const key = to.tag + ' ' + std::string(currency);
    auto const& format = kept<LocalizedNumberRangeFormatter>(key, make);
    UErrorCode failed = U_ZERO_ERROR;
    return utf8(format.formatFormattableRange(min, max, failed).toString(failed));
}

std::string money_text(std::int64_t amount, std::string_view currency, reader const& to) {
    using namespace icu::number;
    auto const make = [&] {
        return std::make_unique<LocalizedNumberFormatter>(whole_money(currency).locale(locale_of(to.tag)));
    };
    auto const key = to.tag + ' ' + std::string(currency);
    auto const& format = kept<LocalizedNumberFormatter>(key, make);
    UErrorCode failed = U_ZERO_ERROR;
    return utf8(format.formatInt(amount, failed).toString(failed));
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
