#include "words/codes.hpp"

#include "core/text.hpp"
#include "words/words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unicode/locid.h>
#include <unicode/ucurr.h>

namespace recruiting {
namespace {

// States of the United States and provinces of Canada, which places end in as others end in a country's code.
constexpr std::string_view american_states =
    " AB AK AL AR AZ BC CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MB MD ME MI MN MO MS MT NB NC ND NE NH NJ NL "
    "NM "
    "NS NT NU NV NY OH OK ON OR PA PE QC RI SC SD SK TN TX UT VA VT WA WI WV WY YT ";

std::set<std::string, std::less<>> const& countries() {
    static auto const known = [] {
        std::set<std::string, std::less<>> codes;
        for (auto const* code = icu::Locale::getISOCountries(); *code != nullptr; ++code) codes.insert(*code);
        for (auto const* reserved : {"DG", "EA", "IC"}) codes.erase(reserved); // islands and cities of other countries
        return codes;
    }();
    return known;
}

// Names in the pages' languages, in lower case, and English ones that CLDR writes otherwise.
std::map<std::string, std::string, std::less<>> const& countries_by_name() {
    static auto const known = [] {
        std::map<std::string, std::string, std::less<>> names{{"usa", "US"},    {"united states of america", "US"},
                                                              {"uk", "GB"},     {"czech republic", "CZ"},
                                                              {"turkey", "TR"}, {"hong kong", "HK"}};
        for (auto const& in : all_words())
            for (auto const& code : countries()) {
                icu::UnicodeString name;
                std::string text;
                icu::Locale("", code.c_str()).getDisplayCountry(icu::Locale(std::string(in.language).c_str()), name);
                names.emplace(to_lower(name.toUTF8String(text)), code);
            }
        names.erase("georgia");
        return names;
    }();
    return known;
}

bool is_upper(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

} // namespace

std::string country_code(std::string_view code) {
    auto upper = to_upper(code);
    if (upper == "UK") return "GB";
    if (upper == "EL") return "GR";
    return countries().contains(upper) ? upper : std::string();
}

std::string country_of_place(std::string_view place) {
    if (place.find_first_of(";|/") != place.npos || place.find(" or ") != place.npos) return {};
    auto const comma = place.rfind(',');
    auto const last = trim(comma == place.npos ? place : place.substr(comma + 1));
    auto const& names = countries_by_name();
    if (auto const found = names.find(to_lower(last)); found != names.end()) return found->second;
    bool const is_code = comma != place.npos && last.size() == 2 && is_upper(last) &&
                         american_states.find(' ' + std::string(last) + ' ') == american_states.npos;
    return is_code ? country_code(last) : std::string();
}

std::optional<int> currency_decimals(std::string_view code) {
    if (code.size() != 3 || !is_upper(code) || code == "XXX" || code == "XTS") return std::nullopt;
    std::array<UChar, 4> const text{UChar(code[0]), UChar(code[1]), UChar(code[2]), 0};
    UErrorCode failed = U_ZERO_ERROR;
    // Currencies of the past, too: old jobs were paid in them.
    if (!ucurr_isAvailable(text.data(), U_DATE_MIN, U_DATE_MAX, &failed) || U_FAILURE(failed)) return std::nullopt;
    auto const decimals = ucurr_getDefaultFractionDigits(text.data(), &failed);
    return U_SUCCESS(failed) ? std::optional(decimals) : std::nullopt;
}

} // namespace recruiting
