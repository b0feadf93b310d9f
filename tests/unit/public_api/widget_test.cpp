// The script made of the widget's modules, the words and the style: one classic script, both elements, no way for text
// to become markup.
#include "public_api/pages/assets.hpp"
#include "public_api/routes.hpp"
#include "support/catch.hpp"
#include "zones/zone.hpp"

namespace widget_test {
using namespace recruiting;
using namespace recruiting::public_api;

TEST_CASE("the widget is one script", "[public_api][widget]") {
    auto const& script = *widget_script();
    for (std::string_view const needed :
         {"'recruiting-jobs'", "'recruiting-booking'", "\nja:{", "const css = `", "募集中", "customElements.define"})
        CHECK(script.find(needed) != std::string_view::npos);
    for (std::string_view const left :
         {"\nimport ", "\nexport ", "import.meta", "innerHTML", "document.cookie", "localStorage"})
        CHECK(script.find(left) == std::string_view::npos);
    CHECK(script.ends_with("})();\n"));
}

TEST_CASE("the widget knows the zones that were renamed", "[public_api][widget]") {
    for (auto const& [former, current] : zones::renamed()) {
        INFO(former);
        auto const pair = "'" + std::string(former) + "': '" + std::string(current) + "'";
        CHECK(widget_script()->find(pair) != std::string::npos);
    }
}

TEST_CASE("the widget's path is for people's pages, beside the API", "[public_api][widget]") {
    CHECK(find_route("GET", "/widget/v1.js").found != nullptr);
    CHECK(find_route("POST", "/widget/v1.js").allow == "GET, HEAD, OPTIONS");
    CHECK_FALSE(find_route("GET", "/api/public/v1/widget/v1.js").known);
}

} // namespace widget_test
