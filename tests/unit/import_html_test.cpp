// Sanitised descriptions hold nothing beyond p br ul ol li strong em h2 h3 h4 and a[href] of three schemes.
#include "recruitctl/html_sanitize.hpp"
#include "support/catch.hpp"

using namespace recruiting::recruitctl;

TEST_CASE("what may stay, stays") {
    auto const html = "<h2>We</h2><p>build <strong>robots</strong> &amp; <em>more</em>:<br>now</p>"
                      "<ul><li>one</li><li>two</li></ul><p><a href=\"https://a.example/?b=1&amp;c=2\">us</a></p>";
    CHECK(sanitize_html(html) == html);
}

TEST_CASE("what may not stay goes, its text remains") {
    CHECK(sanitize_html("<div>A</div><div>B</div>") == "<p>A</p><p>B</p>");
    CHECK(sanitize_html("<h1>A</h1><h6>B</h6><p><b>C</b><i>D</i><u>E</u></p>") ==
          "<h2>A</h2><h4>B</h4><p><strong>C</strong><em>D</em>E</p>");
    CHECK(sanitize_html("<p onclick=\"x()\" style=\"a:b\" class=c>A<img src=x onerror=alert(1)></p>") == "<p>A</p>");
    CHECK(sanitize_html("<table><tr><td>A</td></tr></table>").find("A") != std::string::npos);
    CHECK(sanitize_html("just text") == "<p>just text</p>");
    CHECK(sanitize_html("") == "");
}

TEST_CASE("nothing runs") {
    for (char const* html :
         {"<script>alert(1)</script>", "<p><svg onload=alert(1)><p>", "<style>@import 'x'</style>",
          "<iframe src=\"javascript:alert(1)\"></iframe>", "<a href=\"javascript:alert(1)\">x</a>",
          "<a href=\" java\tscript:alert(1)\">x</a>", "<a href=\"&#106;avascript:alert(1)\">x</a>",
          "<a href=\"data:text/html,<script>\">x</a>", "<math><mi><script>alert(1)</script>",
          "<textarea><script>alert(1)</script>", "<!--><script>alert(1)</script>-->", "<<script>alert(1)//<</script>",
          "<a href='x\" onmouseover=\"alert(1)'>x</a>", "<noscript><p title=\"</noscript><script>alert(1)</script>\">",
          "<template><script>alert(1)</script></template>", "<a href=\"//evil.example\">x</a>"}) {
        auto const clean = sanitize_html(html);
        INFO(html << " → " << clean);
        CHECK(clean.find("<script") == std::string::npos);
        CHECK(clean.find("<svg") == std::string::npos);
        CHECK(clean.find("href") == std::string::npos);
        CHECK(clean.find(" onmouseover") == std::string::npos);
        CHECK(sanitize_html(clean) == clean);
    }
}

TEST_CASE("links keep their address and nothing else") {
    CHECK(sanitize_html("<p><a href=\"HTTPS://a.example/&quot;\" target=_blank onclick=x>us</a></p>") ==
          "<p><a href=\"HTTPS://a.example/&quot;\">us</a></p>");
    CHECK(sanitize_html("<p><a href=\"mailto:jobs@a.example\">us</a></p>") ==
          "<p><a href=\"mailto:jobs@a.example\">us</a></p>");
}

TEST_CASE("deep nesting and a charset in the text do no harm") {
    std::string deep;
    for (int i = 0; i < 20000; ++i) deep += "<div>";
    CHECK_NOTHROW(sanitize_html(deep + "x"));
    CHECK(sanitize_html("<meta charset=iso-8859-1><p>Müller – 日本</p>") == "<p>Müller – 日本</p>");
}

TEST_CASE("text of a description") {
    CHECK(html_to_text("<h2>We</h2><p>build  <strong>robots</strong>\n "
                       "and<br>more</p><ul><li>one</li><li>two</li></ul><p>end</p>") ==
          "We\n\nbuild robots and\nmore\n\n- one\n- two\n\nend");
    CHECK(html_to_text("<p>a &lt; b &amp; c</p>") == "a < b & c");
    CHECK(html_to_text("") == "");
    CHECK(html_to_text(text_to_html("a < b\nc\n\nd")) == "a < b\nc\n\nd");
}
