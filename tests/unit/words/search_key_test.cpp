// Search keys; the database's are compared with them in tests/integration/auth_api/search_folding_test.cpp.
#include "words/search_key.hpp"

#include "support/catch.hpp"

namespace search_key_test {
using recruiting::search_key;

TEST_CASE("search keys: lower case, compatibility forms, no accents", "[words][search]") {
    CHECK(search_key("Café MANAGER") == "cafe manager");
    CHECK(search_key("Cafe\xCC\x81") == "cafe"); // combining acute
    CHECK(search_key("ÀÉÎÕÜ ñ ç") == "aeiou n c");
    CHECK(search_key("\xEF\xAC\x81x") == "fix");           // U+FB01, the ligature fi
    CHECK(search_key("\xEF\xBC\xA1\xEF\xBC\xA2") == "ab"); // full-width letters
    CHECK(search_key("Инженер") == "инженер");
    CHECK(search_key("日本") == "日本");
    CHECK(search_key("").empty());
}

TEST_CASE("search keys: letters that do not decompose, and other forms of a letter", "[words][search]") {
    CHECK(search_key("Straße STRAẞE Łódź Øre Đà Ðe ħ ŋ") == "strasse strasse lodz ore da de h n");
    CHECK(search_key("Æsir Œuvre Þing") == "aesir oeuvre thing");
    CHECK(search_key("İI ıi") == "ii ii");
    CHECK(search_key("Σίσυφος ΣΊΣΥΦΟΣ") == "σισυφοσ σισυφοσ");
    CHECK(search_key("שלום") == "שלומ");
    CHECK(search_key("Қайрат Ғани Ґ Ё") == "каират гани г е");
    CHECK(search_key("ﾔﾏﾀﾞ") == "ヤマダ");
    CHECK(search_key("O\u2019Brien O\u02BCBrien") == "o'brien o'brien");
}

TEST_CASE("search keys: invisible characters do not count, and vowel signs do", "[words][search]") {
    CHECK(search_key("So\u00ADren\u200B \u202Ax\u202C") == "soren x"); // a soft hyphen, a zero-width space, directions
    CHECK(search_key("葛\U000E0100城") == "葛城");                     // a variant of a glyph
    CHECK(search_key("राहुल") == "राहुल");
    CHECK(search_key("สมชาย ใจดี") == "สมชาย ใจดี");
    CHECK(search_key("\U0001F600") == "\U0001F600");
}

TEST_CASE("words of a text are found whole, whatever divides them", "[words][search]") {
    using recruiting::spaced_words;
    CHECK(spaced_words("Anna  Lee-Müller, 2nd") == " anna lee muller 2nd ");
    CHECK(spaced_words("李小龙 Lee") == " 李 小 龙 lee ");
    CHECK(spaced_words("“O’Brien”") == " o brien ");
    CHECK(spaced_words("नमिता") == " नमिता "); // with its vowel signs
    CHECK(spaced_words("") == " ");
    CHECK(spaced_words("— …") == " ");
    CHECK(spaced_words("a\xFF\xFE z") == spaced_words("a z")); // not UTF-8
    CHECK(spaced_words("Joanna Lee").find(spaced_words("Anna Lee")) == std::string::npos);
    CHECK(spaced_words("成龙与李小龙。").find(spaced_words("李小龙")) != std::string::npos);
}

} // namespace search_key_test
