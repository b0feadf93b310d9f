// Sanitised descriptions hold nothing beyond p br ul ol li strong em h2 h3 h4 and a[href] of three schemes, in an order
// that a browser reads back unchanged.
#include "core/text.hpp"
#include "html/text.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <fstream>
#include <random>
#include <set>

namespace sanitize_test {
using recruiting::html::sanitize;

namespace {

bool is_link(std::string_view tag) {
    if (!tag.starts_with("a href=\"") || !tag.ends_with('"')) return false;
    tag = tag.substr(8, tag.size() - 9);
    auto const scheme = recruiting::to_lower(tag.substr(0, 8));
    return (scheme.starts_with("http://") || scheme == "https://" || scheme.starts_with("mailto:")) &&
           tag.find_first_of("\"<> \t\r\n") == std::string_view::npos;
}

// Every '<', '>' and '"' must be one of our own: the whole is text, plain tags and links.
bool holds_only_what_may_stay(std::string_view clean) {
    static std::set<std::string_view> const tags = {"p",       "br",  "ul",  "ol",  "li",  "strong", "em",
                                                    "h2",      "h3",  "h4",  "/p",  "/ul", "/ol",    "/li",
                                                    "/strong", "/em", "/h2", "/h3", "/h4", "/a"};
    if (!recruiting::is_utf8(clean)) return false;
    while (!clean.empty()) {
        auto const open = clean.find_first_of("<>\"");
        if (open == std::string_view::npos) return true;
        auto const end = clean.find('>', open);
        if (clean[open] != '<' || end == std::string_view::npos) return false;
        auto const tag = clean.substr(open + 1, end - open - 1);
        if (!tags.contains(tag) && !is_link(tag)) return false;
        clean.remove_prefix(end + 1);
    }
    return true;
}

void check_clean(std::string const& html) {
    auto const clean = sanitize(html);
    INFO(html.substr(0, 300) << " → " << clean.substr(0, 300));
    CHECK(holds_only_what_may_stay(clean));
    bool const stable = sanitize(clean) == clean;
    CHECK(stable);
}

std::string repeated(std::string_view unit, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += unit;
    return out;
}

} // namespace

TEST_CASE("what may stay, stays") {
    for (std::string const html :
         {"<h2>We</h2><p>build <strong>robots</strong> &amp; <em>more</em>:<br>now</p><ul><li>one</li><li>two</li></ul>"
          "<p><a href=\"https://a.example/?b=1&amp;c=2\">us</a></p>",
          "<h3>A</h3><h4>B</h4><ol><li><p>one</p><p>more</p></li><li>two<ul><li>deeper</li></ul></li></ol>",
          "<p>we're <strong><em><a href=\"mailto:jobs@a.example\">here</a></em></strong> – 日本 🚀 \u202Eשלום</p>"})
        CHECK(sanitize(html) == html);
}

TEST_CASE("what may not stay goes, its text remains") {
    CHECK(sanitize("<div>A</div><div>B</div>") == "<p>A</p><p>B</p>");
    CHECK(sanitize("<h1>A</h1><h5>B</h5><h6>C</h6><p><b>D</b><i>E</i><u>F</u></p>") ==
          "<h2>A</h2><h4>B</h4><h4>C</h4><p><strong>D</strong><em>E</em>F</p>");
    CHECK(sanitize("<p onclick=\"x()\" style=\"a:b\" class=c>A<img src=x onerror=alert(1)></p>") == "<p>A</p>");
    CHECK(sanitize("<table><tr><td>A</td><td>B</td></tr></table>") == "<p>A</p><p>B</p>");
    CHECK(sanitize("just text<br>and more") == "<p>just text<br>and more</p>");
    CHECK(sanitize("<p></p><p><br></p><ul><li></li></ul><strong> </strong>").empty());
    CHECK(sanitize("").empty());
}

TEST_CASE("elements are put where a browser would leave them") {
    CHECK(sanitize("<b><section>one</section><section>two</section></b>") ==
          "<p><strong>one</strong></p><p><strong>two</strong></p>");
    CHECK(sanitize("<p>a<table><tr><td><p>b</p></td></tr></table>c</p>").find("<p><p>") == std::string::npos);
    CHECK(sanitize("<ul><ul><li>a</li></ul></ul>") == "<ul><li><ul><li>a</li></ul></li></ul>");
    CHECK(sanitize("<li>a</li><li>b</li>") == "<p>a</p><p>b</p>");
    CHECK(sanitize("<ul><li><div>a</div><div>b</div></li></ul>") == "<ul><li>a<p>b</p></li></ul>");
    CHECK(sanitize("<h2><div>Title</div></h2>") == "<h2>Title</h2>");
    CHECK(sanitize("<strong>a<strong>b</strong></strong>") == "<p><strong>ab</strong></p>");
}

TEST_CASE("links keep their address and nothing else") {
    CHECK(sanitize("<p><a href=\"HTTPS://a.example/&quot;\" target=_blank rel=x onclick=x>us</a></p>") ==
          "<p><a href=\"HTTPS://a.example/&quot;\">us</a></p>");
    CHECK(sanitize("<p><a href=' https://a.example/b c '>us</a></p>") ==
          "<p><a href=\"https://a.example/b%20c\">us</a></p>");
}

TEST_CASE("an address of another scheme, spelled however, is no link") {
    for (std::string const address : {"javascript:alert(1)",
                                      " java\tscript:alert(1)",
                                      "java\nscript:alert(1)",
                                      "&#106;avascript:alert(1)",
                                      "&#x6A;&#x61;vascript&colon;alert(1)",
                                      "JaVaScRiPt:alert(1)",
                                      "\x01javascript:alert(1)",
                                      "javascript&Tab;:alert(1)",
                                      "vbscript:x",
                                      "data:text/html,&lt;script>",
                                      "//evil.example",
                                      "/path",
                                      "#a",
                                      "",
                                      "http:",
                                      "https:evil",
                                      "mailto:",
                                      "file:///etc/passwd",
                                      "feed:javascript:alert(1)",
                                      "view-source:https://a",
                                      "https\x01://a.example",
                                      "http://a\x0A.example",
                                      "blob:https://a",
                                      "ftp://a",
                                      "https&#0;://a"}) {
        auto const clean = sanitize("<p><a href=\"" + address + "\">x</a></p>");
        INFO(address << " → " << clean);
        CHECK(clean == "<p>x</p>");
    }
}

TEST_CASE("nothing runs, however it is hidden") {
    for (std::string const html :
         {"<script>alert(1)</script>",
          "<p><svg onload=alert(1)><p>",
          "<style>@import 'x'</style>",
          "<iframe src=\"javascript:alert(1)\"></iframe>",
          "<math><mi><script>alert(1)</script>",
          "<textarea><script>alert(1)</script>",
          "<!--><script>alert(1)</script>-->",
          "<<script>alert(1)//<</script>",
          "<a href='x\" onmouseover=\"alert(1)'>x</a>",
          "<noscript><p title=\"</noscript><script>alert(1)</script>\">",
          "<template><script>alert(1)</script></template>",
          "<scr<script>ipt>alert(1)</scr</script>ipt>",
          "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
          "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
          "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
          "<svg><foreignObject><p><a href=\"https://a\"><desc><b><script>alert(1)</script>",
          "<select><template><style><!--</style><a rel=\"--></style></template></select><img src onerror=alert(1)>\">",
          "<xmp><p title=\"</xmp><img src onerror=alert(1)>\">",
          "<p id=\"</p><img src=x onerror=alert(1)>\">a",
          "<a href=\"https://a/&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\">x</a>",
          "<![CDATA[<script>alert(1)</script>",
          "<?xml <script>alert(1)</script> ?>",
          "&lt;script&gt;alert(1)&lt;/script&gt;",
          "<p>\0<b\0>x",
          "<plaintext><b>x",
          "<a href=\"https://a\"><a href=\"https://b\">x</a></a>",
          "<base href=\"javascript:\"><a href=\"x\">y</a>",
          "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">x",
          "\xFF\xFE<\xC0\xBCscript>",
          "<p>a\xC3</p>b"})
        check_clean(html);
}

TEST_CASE("naughty strings come to no harm and do none") {
    std::ifstream file(RECRUITING_SOURCE_DIR "/tests/vectors/naughty_strings.json");
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    for (auto const& naughty : boost::json::value_to<std::vector<std::string>>(boost::json::parse(text))) {
        check_clean(naughty);
        check_clean("<ul><li><a href=\"" + naughty + "\">" + naughty + "</a><p>" + naughty);
    }
}

TEST_CASE("any mixture of tags sanitises to something stable") {
    std::mt19937 random(20'261'121); // the same mixtures each time
    constexpr std::array<char const*, 33> pieces = {
        "<p>",      "</p>",  "<ul>",    "</ul>",  "<li>",
        "</li>",    "<b>",   "</b>",    "<em>",   "</em>",
        "<h2>",     "</h2>", "<div>",   "</div>", "<a href=\"https://a.example\">",
        "</a>",     "<br>",  " ",       "x",      "y z",
        "\n",       "<ol>",  "</ol>",   "<td>",   "<table>",
        "</table>", "<h6>",  "&lt;",    "&amp;",  "<span>",
        "</span>",  "<i>",   "<!--c-->"};
    for (int round = 0; round < 4000; ++round) {
        std::string html;
        for (auto length = random() % 24; length > 0; --length) html += pieces.at(random() % pieces.size());
        check_clean(html);
    }
}

TEST_CASE("a mebibyte of anything is read in linear time") {
    constexpr std::size_t much = 1024 * 1024;
    std::string attributes = "<p>before</p><p";
    for (int i = 0; attributes.size() < much; ++i) attributes += " a" + std::to_string(i);
    CHECK(sanitize(attributes + ">x") == "<p>before</p>");
    for (char const* unit : {"<div>", "<b>", "<ul><li>", "</i>", "<a href=\"https://a\">", "<p>", "<!--", "&amp;", "<",
                             "<a href=\"", "<table><tr><td>"})
        CHECK(holds_only_what_may_stay(sanitize(repeated(unit, much) + "x")));
    CHECK(sanitize("<p>" + repeated("word ", 2 * much)).size() <= much + 10);
}

TEST_CASE("a charset in the text does no harm") {
    CHECK(sanitize("<meta charset=iso-8859-1><p>Müller – 日本</p>") == "<p>Müller – 日本</p>");
}

} // namespace sanitize_test
