// Accent colours in legible shades: WCAG 2.2 contrast.
#include "html/accent.hpp"
#include "support/catch.hpp"

#include <cmath>

namespace accent_test {
using namespace recruiting::html;

namespace {

bool is_near(double value, double wanted) { return std::abs(value - wanted) < 0.005; }

void check_shade(accent_shade const& shade, std::string_view paper) {
    CHECK(contrast(shade.color, paper).value() >= legible_contrast);
    CHECK(contrast(shade.color, shade.text).value() >= legible_contrast);
    CHECK((shade.text == light_text || shade.text == dark_text));
}

std::string color_of(int red, int green, int blue) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (auto const part : {red, green, blue})
        text.append({digits[static_cast<std::size_t>(part / 16)], digits[static_cast<std::size_t>(part % 16)]});
    return text;
}

} // namespace

TEST_CASE("contrast is that of WCAG 2.2") {
    CHECK(contrast("#000000", "#ffffff") == 21.0);
    CHECK(contrast("#ffffff", "#000000") == 21.0);
    CHECK(contrast("#777777", "#777777") == 1.0);
    CHECK(is_near(contrast("#767676", "#ffffff").value(), 4.54));
    CHECK(is_near(contrast("#777777", "#ffffff").value(), 4.48));
    CHECK(is_near(contrast("#ff0000", "#ffffff").value(), 4.00));
    CHECK(is_near(contrast("#0000ff", "#ffffff").value(), 8.59));
    CHECK(!contrast("#fff", "#ffffff"));
    CHECK(!contrast("#ffffff", "white"));
}

TEST_CASE("an accent that is legible stays as it is") {
    CHECK(shades_of("#0b5fff")->on_light.color == "#0b5fff");
    CHECK(shades_of("#767676")->on_light.color == "#767676");
    CHECK(shades_of("#7cc4ff")->on_dark.color == "#7cc4ff");
    CHECK(shades_of("#000000")->on_light.color == "#000000");
    CHECK(shades_of("#ffffff")->on_dark.color == "#ffffff");
}

TEST_CASE("an accent that is not legible changes as little as it must") {
    CHECK(shades_of("#777777")->on_light.color == "#767676");
    CHECK(shades_of("#ffffff")->on_light.color == "#767676");
    auto const yellow = shades_of("#ffd400").value();
    CHECK(yellow.on_light.color != "#ffd400");
    CHECK(contrast(yellow.on_light.color, light_paper).value() < 4.6);
    CHECK(yellow.on_dark.color == "#ffd400");
    auto const navy = shades_of("#001f5c").value();
    CHECK(navy.on_light.color == "#001f5c");
    CHECK(navy.on_dark.color != "#001f5c");
    CHECK(contrast(navy.on_dark.color, dark_paper).value() < 4.6);
}

TEST_CASE("text on a surface of the accent is white on dark shades and near-black on light ones") {
    CHECK(shades_of("#0b5fff")->on_light.text == light_text);
    CHECK(shades_of("#ffd400")->on_dark.text == dark_text);
}

TEST_CASE("every accent has legible shades, and legible text on them") {
    for (int red = 0; red < 256; red += 15)
        for (int green = 0; green < 256; green += 15)
            for (int blue = 0; blue < 256; blue += 15) {
                auto const accent = color_of(red, green, blue);
                CAPTURE(accent);
                auto const shades = shades_of(accent);
                REQUIRE(shades);
                check_shade(shades->on_light, light_paper);
                check_shade(shades->on_dark, dark_paper);
            }
}

TEST_CASE("an accent is six lower-case hexadecimal digits after #") {
    CHECK(is_color("#09afc1"));
    for (auto const* const wrong :
         {"", "#", "#fff", "0b5fff0", "#0B5FFF", "#0b5ff", "#0b5fff0", "#0b5ffg", "#0b5ff ", "red"}) {
        CAPTURE(wrong);
        CHECK(!is_color(wrong));
        CHECK(!shades_of(wrong));
    }
}

} // namespace accent_test
