// Codes of countries and currencies as other systems write them.
#include "words/codes.hpp"

#include "support/catch.hpp"

namespace codes_test {
using namespace recruiting;

TEST_CASE("a country's code in either case, and the two that others use", "[words]") {
    CHECK(country_code("DE") == "DE");
    CHECK(country_code("gb") == "GB");
    CHECK(country_code("UK") == "GB");
    CHECK(country_code("el") == "GR");
    for (auto const* none : {"", "XX", "ZZ", "EU", "IC", "D", "DEU", "Germany", "D\xC3\x89", "1A"})
        CHECK(country_code(none).empty());
}

TEST_CASE("the country that a place ends in", "[words]") {
    CHECK(country_of_place("Berlin, Germany") == "DE");
    CHECK(country_of_place("Austin, TX, USA") == "US");
    CHECK(country_of_place("London,united kingdom ") == "GB");
    CHECK(country_of_place("Paris, FR") == "FR");
    CHECK(country_of_place("Brno, Czech Republic") == "CZ");
    CHECK(country_of_place("Brno, Czechia") == "CZ");
    CHECK(country_of_place("Poland") == "PL");
    for (auto const* known :
         {"Wien, Österreich", "Vienne, Autriche", "Viena, Austria", "Vienna, Austria", "オーストリア"})
        CHECK(country_of_place(known) == "AT");
    // Georgia, Canada, Delaware, Germany and others share their name or code with a state.
    for (auto const* none : {"", "Berlin", "Atlanta, Georgia", "San Francisco, CA", "Wilmington, DE", "PL", "Nice, fr",
                             "Berlin, XX", "Berlin; Paris, France", "Berlin, Germany / Paris, France",
                             "Berlin or Paris, France", "Santa Fe, New Mexico"})
        CHECK(country_of_place(none).empty());
}

TEST_CASE("a currency's decimals", "[words]") {
    CHECK(currency_decimals("USD") == 2);
    CHECK(currency_decimals("JPY") == 0);
    CHECK(currency_decimals("KWD") == 3);
    CHECK(currency_decimals("DEM") == 2);
    for (auto const* none : {"", "usd", "EU", "XXX", "XTS", "BTC", "ABC", "EURO", "\xE2\x82\xAC"})
        CHECK_FALSE(currency_decimals(none));
}

} // namespace codes_test
