// Counts, money, dates and countries as the reader's language and region write them, which is as browsers' Intl does.
#include "support/catch.hpp"
#include "words/format.hpp"

namespace format_test {
using namespace recruiting;

namespace {

reader in(std::string_view accept_language) { return requested_reader(accept_language); }

} // namespace

TEST_CASE("a reader's region is that of the best tag of the language that has one", "[words][format]") {
    CHECK(in("").tag == "en");
    CHECK(in("de-AT,en;q=0.5").tag == "de-AT");
    CHECK(in("en, en-GB;q=0.9, en-US;q=0.8").tag == "en-GB");
    CHECK(in("en-GB;q=0.1, fr-CA").tag == "fr-CA");
    CHECK(in("es-419").tag == "es-419");
    for (auto const* tag : {"de-Latn", "de-1996", "de-", "de-a", "de-@x", "de-DEU"}) CHECK(in(tag).tag == "de");
    CHECK(requested_reader("pt", "ja").tag == "ja");
}

TEST_CASE("a count has its language's plural form and digits", "[words][format]") {
    CHECK(describe_job_count(1, in("en")) == "1 open position");
    CHECK(describe_job_count(0, in("en")) == "0 open positions");
    CHECK(describe_job_count(0, in("fr")) == "0 poste à pourvoir");
    CHECK(describe_job_count(1234, in("de")) == "1.234 offene Stellen");
    CHECK(describe_job_count(1234, in("de-CH")) == "1’234 offene Stellen");
    CHECK(describe_job_count(1, in("it")) == "1 posizione aperta");
    CHECK(describe_job_count(1000000, in("it")) == "1.000.000 posizioni aperte");
    CHECK(describe_job_count(1, in("ja")) == "募集中の職種：1件");
}

TEST_CASE("a salary is written as the region writes money, whole amounts without decimals", "[words][format]") {
    salary const range{"60000", "80000", "EUR", "year"};
    CHECK(describe_salary(range, in("en-GB")) == "€60,000 – €80,000 a year");
    CHECK(describe_salary(range, in("de-DE")) == "60.000–80.000\u00A0€ pro Jahr");
    CHECK(describe_salary({"80000", {}, "CAD", "month"}, in("en-US")) == "from CA$80,000 a month");
    CHECK(describe_salary({"80000", {}, "CAD", "month"}, in("en-CA")) == "from $80,000 a month");
    CHECK(describe_salary({{}, "25", "GBP", "hour"}, in("en")) == "up to £25 an hour");
    CHECK(describe_salary({"500", "500", "JPY", "day"}, in("ja")) == "日給 ￥500");
    CHECK(describe_salary({"1", "2", "EUR", ""}, in("en")) == "€1 – €2");
    CHECK(describe_salary({"1", "2", "EUR", "decade"}, in("en")) == "€1 – €2");
    CHECK(describe_salary({{}, {}, "EUR", "year"}, in("en")).empty());
    CHECK(describe_salary({"1", "2", "", "year"}, in("en")).empty());
    CHECK(describe_salary({"1", {}, "nonsense", "year"}, in("en")).find('1') != std::string::npos);
}

TEST_CASE("a salary with decimals has all of its currency's, and is never rounded", "[words][format]") {
    CHECK(describe_salary({"20.75", {}, "USD", "hour"}, in("en-US")) == "from $20.75 an hour");
    CHECK(describe_salary({"20.5", "20.5", "USD", "hour"}, in("en-US")) == "$20.50 an hour");
    CHECK(describe_salary({"20", "22.5", "USD", "hour"}, in("en-US")) == "$20.00 – $22.50 an hour");
    CHECK(describe_salary({"20", "22.5", "EUR", "hour"}, in("de-DE")) == "20,00–22,50\u00A0€ pro Stunde");
    CHECK(describe_salary({"1.25", {}, "KWD", "hour"}, in("en")) == "from KWD\u00A01.250 an hour");
    CHECK(describe_salary({"1200", {}, "JPY", "hour"}, in("en")) == "from ¥1,200 an hour");
    CHECK(describe_salary({"1200.5", {}, "JPY", "hour"}, in("en")) == "from ¥1,200.5 an hour");
    CHECK(describe_salary({"20.755", {}, "USD", "hour"}, in("en-US")) == "from $20.755 an hour");
    CHECK(describe_salary({{}, "999999999999.125", "USD", "year"}, in("en-US")) == "up to $999,999,999,999.125 a year");
    CHECK(describe_salary({"20", {}, "USD", "hour"}, in("en-US")) ==
          "from $20 an hour"); // as before those with decimals
}

TEST_CASE("a date is that of the zone, in the region's order", "[words][format]") {
    auto const late = parse_time("2026-11-24T23:30:00Z").value();
    CHECK(describe_date(late, "Europe/Berlin", in("en-GB")) == "25 November 2026");
    CHECK(describe_date(late, "UTC", in("en-US")) == "November 24, 2026");
    CHECK(describe_date(late, "America/Lima", in("es")) == "24 de noviembre de 2026");
    CHECK(describe_date(late, "Mars/Olympus", in("fr")) == "24 novembre 2026");
    CHECK(describe_date(late, "", in("ja")) == "2026年11月24日");
}

TEST_CASE("a country has its name in the reader's language", "[words][format]") {
    CHECK(describe_country("DE", in("en")) == "Germany");
    CHECK(describe_country("DE", in("fr")) == "Allemagne");
    CHECK(describe_country("", in("en")).empty());
    CHECK(describe_country("ZQ", in("en")) == "ZQ");
}

TEST_CASE("however many regions ask, formats stay right", "[words][format]") {
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b) {
            auto const to = in(std::string("en-") + a + b);
            CHECK(describe_salary({"1", {}, "EUR", "year"}, to).find('1') != std::string::npos);
        }
    CHECK(describe_salary({"1000", {}, "EUR", "year"}, in("en-GB")) == "from €1,000 a year");
}

} // namespace format_test
