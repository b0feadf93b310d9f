// A letter as text and as HTML: the same words and links in both, safe whatever names hold, legible in its colours.
#include "auth_api/background/mail/letter.hpp"
#include "html/accent.hpp"
#include "support/catch.hpp"

namespace letter_test {
using namespace recruiting;
using namespace recruiting::auth_api::mailing;

namespace {

letter some_letter() {
    letter out;
    out.language = "en";
    out.label_end = ":";
    out.subject = "Subject";
    out.from = {"Acme", "https://acme.example/logo.png?a=1&b=2", "#ff6600"};
    out.preview = "Preview";
    out.blocks = {paragraph{"First"},
                  std::vector<fact>{{"When", "Now"}, {"Join", "https://h.example/join", "Join the interview"}},
                  main_link{{"Do it", "https://h.example/do"}},
                  links{{}, {{"Else", "https://h.example/else"}}},
                  links{"Add", {{"One", "https://h.example/1?a=1&b=2"}, {"Two", "https://h.example/2"}}},
                  paragraph{"A note", true}};
    out.footer = {"Acme", "Last"};
    return out;
}

bool has(std::string const& text, std::string const& what) { return text.find(what) != std::string::npos; }
std::size_t count(std::string const& text, std::string const& what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
}

} // namespace

TEST_CASE("the text part is plain, with every word and every link", "[mail][letters]") {
    CHECK(to_text(some_letter()) ==
          "First\n\nWhen: Now\nJoin: https://h.example/join\n\nDo it:\nhttps://h.example/do\n\n"
          "Else:\nhttps://h.example/else\n\nAdd\nOne:\nhttps://h.example/1?a=1&b=2\nTwo:\n"
          "https://h.example/2\n\nA note\n\nAcme\n\nLast\n");
}

TEST_CASE("the HTML part has the same words and links", "[mail][letters]") {
    auto const html = to_html(some_letter());
    for (std::string const words :
         {">First</p>", ">When</td>", "<bdi>Now</bdi>", ">Join the interview</a>", ">Do it</a>", ">Else</a>",
          ">Add:</span>", ">One</a> &middot; ", ">A note</p>", "<bdi>Last</bdi>"})
        CHECK(has(html, words));
    for (std::string const address : {"https://h.example/join", "https://h.example/do", "https://h.example/else",
                                      "https://h.example/1?a=1&amp;b=2", "https://h.example/2"})
        CHECK(count(html, "<a href=\"" + address + "\"") == 1);
    CHECK(has(html, "<html lang=\"en\" dir=\"ltr\">"));
    CHECK(has(html, "<meta name=\"color-scheme\" content=\"light dark\">"));
    CHECK(count(html, "<table") == count(html, "<table role=\"presentation\""));
    CHECK(count(html, "<h1") == 1);
}

TEST_CASE("the one image is the logo, from an https address alone", "[mail][letters]") {
    auto from = some_letter();
    auto const with = to_html(from);
    CHECK(count(with, "<img ") == 1);
    CHECK(has(with, "<img src=\"https://acme.example/logo.png?a=1&amp;b=2\" alt=\"Acme\" height=\"32\""));
    for (std::optional<std::string> const& none :
         {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("http://h/l.png"),
          std::optional<std::string>("javascript:alert(1)"), std::optional<std::string>("data:image/png;base64,AA")}) {
        from.from.logo_url = none;
        CHECK_FALSE(has(to_html(from), "<img"));
    }
    from.from.logo_url = "https://h/\"onerror=alert(1) x=\"";
    CHECK(has(to_html(from), "src=\"https://h/&quot;onerror=alert(1) x=&quot;\""));
}

TEST_CASE("button and links are legible in every accent, by day and by night", "[mail][letters]") {
    for (std::string const accent :
         {"#ff6600", "#ffffff", "#000000", "#ffff00", "#0000ff", "#808080", "none", "</style>"}) {
        CAPTURE(accent);
        auto from = some_letter();
        from.from.accent = accent;
        auto const html = to_html(from);
        auto const shades = html::shades_of(accent).value_or(html::shades_of("#0b4f9e").value());
        CHECK(has(html, "<td bgcolor=\"" + shades.on_light.color + "\""));
        CHECK(has(html, ";color:" + shades.on_light.text + "\">Do it</a>"));
        CHECK(has(html, ".link{color:" + shades.on_dark.color + "!important}"));
        CHECK(count(html, "</style>") == 1);
        for (auto const& [shade, paper] :
             {std::pair(shades.on_light, html::light_paper), std::pair(shades.on_dark, html::dark_paper)}) {
            CHECK(html::contrast(shade.color, paper).value() >= html::legible_contrast);
            CHECK(html::contrast(shade.color, shade.text).value() >= html::legible_contrast);
        }
    }
    for (std::string const ink : {"#1a1d21", "#50575f"}) CHECK(html::contrast(ink, "#ffffff").value() >= 7);
    for (std::string const ink : {"#eceff3", "#aab3bd"}) CHECK(html::contrast(ink, html::dark_paper).value() >= 7);
}

TEST_CASE("names are text, in each of their places", "[mail][letters]") {
    auto from = some_letter();
    std::string const evil = "</title><script>alert(1)</script>\"'><img src=x>";
    from.subject = from.preview = from.from.name = evil;
    from.blocks = {paragraph{evil}, std::vector<fact>{{"When", evil}}};
    from.footer = {evil};
    auto const html = to_html(from);
    CHECK_FALSE(has(html, "<script"));
    CHECK(count(html, "<img") == 1);
    CHECK(has(html, "alt=\"&lt;/title&gt;"));
}

} // namespace letter_test
