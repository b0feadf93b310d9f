// Text that an inviting admin or an applicant gave as a person's name, and that mails carry in our name.
#include "support/catch.hpp"
#include "words/names.hpp"

namespace names_test {
using namespace recruiting;

TEST_CASE("what mail programs make a link of, or people call, is no name", "[words][names]") {
    for (std::string const text : {
             "your account was locked, unlock it now: https://evil.example/unlock",
             "https://1.1.1.1",
             "hTTp://evil",
             "Kim, see evil.example",
             "evil.co",
             "WWW.EVIL.EXAMPLE",
             "t.co/abc",
             "a-b.example:8443",
             "xn--e1afmkfd.xn--p1ai",
             "пример.рф",
             "例え.テスト",
             "kim@evil",
             "kim＠evil",
             "ｅｖｉｌ．ｃｏｍ",     // full-width letters and stop
             "evil。com",            // an ideographic stop
             "evil｡com",             // its half-width form
             "evil․com",             // U+2024
             "ev\u200Bil.\u200Bcom", // zero-width spaces
             "evil.\u00ADcom",       // a soft hyphen
             "ⓔⓥⓘⓛ.ⓒⓞⓜ",             // circled letters
             "𝐞𝐯𝐢𝐥.𝐜𝐨𝐦",             // mathematical ones
             "call +49 30 1234567",
             "030/123-4567",
             "(800) 555-0199",
             "555-0199",
             "٠٣٠ ١٢٣٤٥٦٧",            // Arabic digits
             "０３０－１２３４５６７", // full-width ones
             "0\u200B3\u200B0 1234567",
             "1\u22122\u22123\u22124\u22125\u22126\u22127", // minus signs
         }) {
        CAPTURE(text);
        CHECK(looks_like_contact(text));
        CHECK(name_in_mail(text).empty());
    }
}

TEST_CASE("people keep their names", "[words][names]") {
    for (std::string const text : {
             "Kim Sample",
             "Dr. Kim Sample",
             "Dr. med. J. R. Sample",
             "J.R. Sample",
             "Kim Sample, Ph.D.",
             "Kim Sample Jr.",
             "Conan O’Brien",
             "Anne-Marie Müller",
             "Louis XIV",
             "Kim 2nd",
             "R2-D2",
             "山田 太郎",
             "山田・太郎",
             "Ким Иванов",
             "كيم علي",
             "İpek Öz",
             "किम शर्मा",
             "Kim (née Sample)",
             "Kim 2024",
             "N. N.",
             "X Æ A-12",
             "",
         }) {
        CAPTURE(text);
        CHECK_FALSE(looks_like_contact(text));
        CHECK(name_in_mail(text) == text);
    }
}

TEST_CASE("a name that is no UTF-8 ends no program", "[words][names]") {
    CHECK_FALSE(looks_like_contact("\xff\xfe Kim"));
    CHECK(looks_like_contact("\xff evil.example"));
}

} // namespace names_test
