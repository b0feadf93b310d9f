// The words of six languages: complete, with the same values everywhere, and times as each language writes them.
#include "support/catch.hpp"
#include "words/words.hpp"

#include <bit>
#include <set>

namespace words_test {
using namespace recruiting;

namespace {

// Every text of a table, in the order of its members: there is nothing else in it.
auto texts_of(words const& in) {
    static_assert(sizeof(words) % sizeof(std::string_view) == 0);
    return std::bit_cast<std::array<std::string_view, sizeof(words) / sizeof(std::string_view)>>(in);
}

std::set<std::string> placeholders(std::string_view text) {
    std::set<std::string> out;
    for (auto open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
        out.emplace(text.substr(open, text.find('}', open) - open));
    return out;
}

timestamp utc(char const* text) { return parse_time(text).value(); }

} // namespace

TEST_CASE("every language says everything, with the same values", "[words]") {
    auto const english = texts_of(all_words().front());
    std::set<std::string_view> languages;
    for (auto const& in : all_words()) {
        CAPTURE(in.language);
        languages.insert(in.language);
        auto const texts = texts_of(in);
        std::size_t translated = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(i, english[i], texts[i]);
            CHECK_FALSE(texts[i].empty());
            CHECK(placeholders(texts[i]) == placeholders(english[i]));
            if (texts[i] != english[i]) ++translated;
        }
        if (in.language != "en") CHECK(translated > texts.size() * 9 / 10);
    }
    CHECK(languages == std::set<std::string_view>{"de", "en", "es", "fr", "it", "ja"});
}

TEST_CASE("a time is written as its language does, in the zone", "[words]") {
    auto const at = utc("2026-11-24T09:00:00Z");
    auto const in = [](std::string_view language) -> words const& { return words_for(language); };
    CHECK(describe_time(at, "Europe/Berlin", in("en")) ==
          "Tuesday, 24 November 2026, 10:00 (Europe/Berlin, UTC+01:00)");
    CHECK(describe_time(at, "Europe/Berlin", in("de")) ==
          "Dienstag, 24. November 2026, 10:00 Uhr (Europe/Berlin, UTC+01:00)");
    CHECK(describe_time(at, "Europe/Paris", in("fr")) == "mardi 24 novembre 2026 à 10:00 (Europe/Paris, UTC+01:00)");
    CHECK(describe_time(at, "America/Lima", in("es")) ==
          "martes, 24 de noviembre de 2026, 04:00 (America/Lima, UTC-05:00)");
    CHECK(describe_time(at, "Europe/Rome", in("it")) == "martedì 24 novembre 2026, ore 10:00 (Europe/Rome, UTC+01:00)");
    CHECK(describe_time(at, "Asia/Tokyo", in("ja")) == "2026年11月24日（火）18:00（Asia/Tokyo、UTC+09:00）");
    CHECK(describe_day(utc("2026-12-01T12:00:00Z"), "UTC", in("fr")) == "mardi 1er décembre 2026");
    CHECK(describe_day(utc("2026-12-01T12:00:00Z"), "UTC", in("de")) == "Dienstag, 1. Dezember 2026");
    CHECK(describe_time(utc("2026-07-05T16:05:00Z"), "America/New_York", in("en")) ==
          "Sunday, 5 July 2026, 12:05 (America/New_York, UTC-04:00)");
    CHECK(describe_time(at, "Mars/Olympus", in("en")) == "Tuesday, 24 November 2026, 09:00 (UTC, UTC+00:00)");
    CHECK(describe_length(std::chrono::minutes{45}, in("ja")) == "45分");
}

TEST_CASE("values are put into a text once: what they hold is no name", "[words]") {
    CHECK(fill("{a} and {b}", {{"a", "{b}"}, {"b", "2"}}) == "{b} and 2");
    CHECK(fill("{a}{a} {other} {", {{"a", "1"}}) == "11 {other} {");
    CHECK(fill("plain", {}) == "plain");
}

TEST_CASE("a tag means its language, whatever its region, what is none of ours is nobody's", "[words]") {
    for (auto const* tag : {"de", "DE", "de-CH", "de-Latn-DE-1996"}) CHECK(words_for(tag).language == "de");
    for (auto const* tag : {"", "-", "pt-BR", "deutsch", "d", "\xff", "x-klingon"}) CHECK(find_words(tag) == nullptr);
    CHECK(requested_words("pt, fr;q=0.5", "ja").language == "fr");
    CHECK(requested_words("pt", "ja").language == "ja");
    CHECK(requested_words("", "").language == "en");
}

} // namespace words_test
