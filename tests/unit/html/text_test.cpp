// The plain text of a description, and a description of plain text.
#include "html/text.hpp"
#include "support/catch.hpp"

namespace text_test {
using namespace recruiting::html;

TEST_CASE("text of a description") {
    CHECK(to_text("<h2>We</h2><p>build  <strong>robots</strong>\n "
                  "and<br>more</p><ul><li>one</li><li>two</li></ul><p>end</p>") ==
          "We\n\nbuild robots and\nmore\n\n- one\n- two\n\nend");
    CHECK(to_text("<p>a &lt; b &amp; c</p>") == "a < b & c");
    CHECK(to_text("<style>x</style><script>y</script><p>z</p>") == "z");
    CHECK(to_text("").empty());
}

TEST_CASE("escaped HTML is read once") {
    CHECK(unescaped("&lt;p&gt;a &amp;amp; b&lt;/p&gt;") == "<p>a &amp; b</p>");
    CHECK(unescaped("<p>a &lt; b</p>") == "<p>a &lt; b</p>"); // not escaped: nothing to read
    CHECK(unescaped("").empty());
}

TEST_CASE("a description of text") {
    CHECK(from_text("a < b\nc\n\nd") == "<p>a &lt; b<br>c</p><p>d</p>");
    CHECK(to_text(from_text("a < b\nc\n\nd")) == "a < b\nc\n\nd");
    CHECK(from_text("\n \n").empty());
}

} // namespace text_test
