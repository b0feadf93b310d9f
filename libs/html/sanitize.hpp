// Job descriptions come from other systems' editors. What is kept of their HTML is p br ul ol li strong em h2 h3 h4 and
// a[href] with http, https or mailto (descriptionHtml of the public API); everything else is dropped or unwrapped, and
// b, i, h1, h5 and h6 are written as their next of kin. libxml2 reads the text; the output is written anew from its
// tree, so nothing is ever passed through, and only so that a browser reads back the same tree.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::html {

/// Never throws for bad HTML. Sanitising twice gives the same text.
[[nodiscard]] std::string sanitize(std::string_view html);

} // namespace recruiting::html
