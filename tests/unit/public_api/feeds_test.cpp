// The feeds: what they hold, and that parsers which are not ours can read them whatever a job holds.
#include "public_api/feeds/feeds.hpp"
#include "support/catch.hpp"
#include "unit/public_api/published_sample.hpp"

#include <boost/json.hpp>
#include <libxml/parser.h>

namespace feeds_test {
using namespace recruiting;
using namespace recruiting::public_api;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

bool is_well_formed(std::string const& xml) {
    auto* const document = xmlReadMemory(xml.data(), static_cast<int>(xml.size()), nullptr, nullptr,
                                         XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_HUGE);
    xmlFreeDoc(document);
    return document != nullptr;
}

int count_of(std::string_view text, std::string_view part) {
    int count = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

struct sample {
    catalogue held = sample_catalogue();
    published_organization const& acme = *held.find_organization("acme");
    feed_page const page = page_of(acme, sample_now, 1, 100);
};

json::object posting_of(published_job const& job) {
    return json::parse(job_posting(sample_organization(), job)).as_object();
}

std::string job_board(published_organization const& of) {
    auto const jobs = page_of(of, sample_now, 1, 100).jobs;
    auto text = job_board_beginning(of, jobs, sample_public_url);
    for (auto const& job : jobs) append_job_board_job(text, of, of.whole(*job));
    return text.append(job_board_end);
}

} // namespace

TEST_CASE("a posting holds what Google for Jobs reads", "[feeds]") {
    auto job = full_job();
    job.public_url = "https://jobs.example.com/careers/acme/jobs/1";
    CHECK(json::value(posting_of(job)) ==
          json::parse(R"({"@context":"https://schema.org/","@type":"JobPosting","title":"Robot Engineer",
        "description":"<h2>You</h2><p>build <strong>robots</strong> &amp; more</p>",
        "identifier":{"@type":"PropertyValue","name":"Acme & Söhne","value":"00000000000000000000000000000001"},
        "datePosted":"2026-11-21","validThrough":"2026-11-22T12:00:00.000Z",
        "hiringOrganization":{"@type":"Organization","name":"Acme & Söhne","sameAs":"https://acme.example",
            "logo":"https://cdn.acme.example/logo.png?a=1&b=2"},
        "jobLocation":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":"Berlin",
            "addressRegion":"BE","addressCountry":"DE"}},
        "employmentType":"FULL_TIME",
        "baseSalary":{"@type":"MonetaryAmount","currency":"EUR","value":{"@type":"QuantitativeValue",
            "minValue":60000,"maxValue":80000,"unitText":"YEAR"}},
        "directApply":false,"url":"https://jobs.example.com/careers/acme/jobs/1"})"));
}

TEST_CASE("a remote posting says from where one may work", "[feeds]") {
    auto job = sample_job(1, "Clerk");
    job.workplace_type = "remote";
    job.location_country_code = "US";
    auto const posting = posting_of(job);
    CHECK(posting.at("jobLocationType").as_string() == "TELECOMMUTE");
    CHECK(posting.at("applicantLocationRequirements").at("name").as_string() == "US");
    CHECK_FALSE(posting.contains("jobLocation"));
    CHECK(posting.at("description").as_string() == "Clerk"); // required, so never empty
}

TEST_CASE("a posting names the country wherever it can be known", "[feeds]") {
    auto organization = sample_organization();
    auto job = sample_job(1, "Clerk");
    auto const shown = [&](char const* field) {
        auto const posting = json::parse(job_posting(organization, job)).as_object();
        return posting.contains(field) ? json::serialize(posting.at(field)) : std::string("none");
    };
    auto const place = [](std::string const& address) {
        return R"({"@type":"Place","address":{"@type":"PostalAddress")" + address + "}}";
    };
    job.location_name = "Munich";
    CHECK(shown("jobLocation") == place(R"(,"addressLocality":"Munich")"));
    organization.country_code = "DE";
    CHECK(shown("jobLocation") == place(R"(,"addressLocality":"Munich","addressCountry":"DE")"));
    job.location_name = "Austin, TX, USA";
    CHECK(shown("jobLocation") == place(R"(,"addressLocality":"Austin, TX","addressCountry":"US")"));
    CHECK(country_of(organization, job) == "US");
    job.location_name = "Wien, Österreich";
    job.location_country_code = "AT";
    CHECK(shown("jobLocation") == place(R"(,"addressLocality":"Wien","addressCountry":"AT")"));
    job.location_name = "Poland";
    job.location_country_code.reset();
    CHECK(shown("jobLocation") == place(R"(,"addressCountry":"PL")"));
    job.location_name.reset();
    CHECK(shown("jobLocation") == place(R"(,"addressCountry":"DE")"));
    job.workplace_type = "remote";
    CHECK(shown("jobLocation") == "none");
    CHECK(shown("applicantLocationRequirements") == R"({"@type":"Country","name":"DE"})");
    job.location_name = "Germany; Austria; Vienna, Austria";
    CHECK(shown("applicantLocationRequirements") ==
          R"([{"@type":"Country","name":"AT"},{"@type":"Country","name":"DE"}])");
    job.location_country_code = "CH";
    job.location_name = "Remote";
    CHECK(shown("applicantLocationRequirements") == R"({"@type":"Country","name":"CH"})");
}

TEST_CASE("several places are an array, one is an object", "[feeds]") {
    auto organization = sample_organization();
    organization.country_code = "CH";
    auto job = sample_job(1, "Clerk");
    job.location_city = "Berlin";
    job.location_region = "BE";
    auto const places_of = [&](char const* name) {
        job.location_name = name;
        return json::serialize(json::parse(job_posting(organization, job)).at("jobLocation"));
    };
    std::string const begins = R"({"@type":"Place","address":{"@type":"PostalAddress","addressLocality":)";
    CHECK(places_of(" Berlin ;; Paris, France; ") ==
          "[" + begins + R"("Berlin","addressCountry":"CH"}},)" + begins + R"("Paris","addressCountry":"FR"}}])");
    job.location_country_code = "DE";
    CHECK(places_of("Berlin; Munich") ==
          "[" + begins + R"("Berlin","addressCountry":"DE"}},)" + begins + R"("Munich","addressCountry":"DE"}}])");
    for (auto const* one : {"Berlin HQ;", " ; ", ""})
        CHECK(places_of(one) == begins + R"("Berlin","addressRegion":"BE","addressCountry":"DE"}})");
}

TEST_CASE("what is not known is left out of a posting", "[feeds]") {
    auto job = sample_job(1, "Clerk");
    for (char const* absent : {"jobLocation", "jobLocationType", "baseSalary", "validThrough", "employmentType"})
        CHECK_FALSE(posting_of(job).contains(absent));
    job.salary_min = "20.75";
    job.salary_currency = "USD";
    job.salary_period = "hour";
    CHECK(posting_of(job).at("baseSalary").at("value") ==
          json::parse(R"({"@type":"QuantitativeValue","minValue":20.75,"unitText":"HOUR"})"));
    job.salary_max = "20.75";
    CHECK(posting_of(job).at("baseSalary").at("value").at("value").as_double() == 20.75);
}

TEST_CASE("a posting can stand inside a script", "[feeds]") {
    auto job = sample_job(1, std::string(hostile));
    auto const text = job_posting(sample_organization(), job);
    CHECK(text.find_first_of("<>&") == std::string::npos);
    CHECK(json::parse(text).at("title").as_string() == std::string(hostile));
}

TEST_CASE("RSS is well-formed whatever a job holds", "[feeds]") {
    sample const of;
    auto const text = rss(of.acme, of.page, sample_public_url);
    CHECK(is_well_formed(text));
    CHECK(count_of(text, "<item>") == 3);
    CHECK(text.find("Closed") == std::string::npos);
    CHECK(text.find("<title>Open jobs at Acme &amp; Söhne</title>") != std::string::npos);
    CHECK(text.find("<guid isPermaLink=\"false\">00000000000000000000000000000001</guid>") != std::string::npos);
    CHECK(text.find("<pubDate>Sat, 21 Nov 2026 11:00:00 GMT</pubDate>") != std::string::npos);
    CHECK(text.find("<atom:link href=\"https://jobs.example.com/api/public/v1/organizations/acme/jobs.rss\" "
                    "rel=\"self\" type=\"application/rss+xml\"/>") != std::string::npos);
    CHECK(text.find("שלום 🚀") != std::string::npos);
}

TEST_CASE("JSON Feed has its required members, and pages", "[feeds]") {
    sample const of;
    auto const feed = json::parse(json_feed(of.acme, of.page, sample_public_url)).as_object();
    CHECK(feed.at("version").as_string() == "https://jsonfeed.org/version/1.1");
    CHECK(feed.at("home_page_url").as_string() == "https://jobs.example.com/careers/acme");
    CHECK_FALSE(feed.contains("next_url"));
    auto const& items = feed.at("items").as_array();
    REQUIRE(items.size() == 3);
    CHECK(items[0].at("content_html").as_string() == full_job().description_html);
    CHECK(items[2].at("content_text").as_string() == "Remote Clerk");
    CHECK(items[0].at("tags") == json::parse(R"(["Engineering","Berlin, Germany","hybrid","full_time"])"));

    auto const first = page_of(of.acme, sample_now, 1, 2);
    auto const address = "https://jobs.example.com/api/public/v1/organizations/acme/jobs.json?page=2";
    CHECK(json::parse(json_feed(of.acme, first, sample_public_url)).at("next_url").as_string() == address);
    auto const second = page_of(of.acme, sample_now, 2, 2);
    CHECK(second.jobs.size() == 1);
    auto const text = rss(of.acme, second, sample_public_url);
    CHECK(text.find("rel=\"previous\"") != std::string::npos);
    CHECK(text.find("rel=\"next\"") == std::string::npos);
}

TEST_CASE("the job board's file is well-formed and whole", "[feeds]") {
    sample const of;
    auto const text = job_board(of.acme);
    CHECK(is_well_formed(text));
    CHECK(count_of(text, "<job>") == 3);
    for (char const* part :
         {"<title><![CDATA[Robot Engineer]]></title>", "<date><![CDATA[Sat, 21 Nov 2026 11:00:00 GMT]]></date>",
          "<city><![CDATA[Berlin]]></city>", "<country><![CDATA[US]]></country>", "<state><![CDATA[BE]]></state>",
          "<country><![CDATA[DE]]></country>", "<jobtype><![CDATA[fulltime]]></jobtype>",
          "<salary><![CDATA[EUR 60000 - 80000 per year]]></salary>",
          "<remotetype><![CDATA[Hybrid remote]]></remotetype>", "<remotetype><![CDATA[Fully remote]]></remotetype>",
          "<expirationdate><![CDATA[Sun, 22 Nov 2026 12:00:00 GMT]]></expirationdate>"}) {
        INFO(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

TEST_CASE("a sitemap of many addresses is an index of files", "[feeds]") {
    sample const of;
    feed_setting const at{sample_public_url, sample_now};
    auto const whole = sitemap(of.acme, at, std::nullopt);
    CHECK(is_well_formed(whole));
    CHECK(count_of(whole, "<url>") == 4); // the careers page and three jobs
    CHECK(whole.find("<loc>https://jobs.example.com/careers/acme/jobs/00000000000000000000000000000001</loc>"
                     "<lastmod>2026-11-21T11:00:00.000Z</lastmod>") != std::string::npos);
    auto const index = sitemap(of.acme, at, std::nullopt, 3);
    CHECK(is_well_formed(index));
    CHECK(index.find("<sitemapindex") != std::string::npos);
    CHECK(index.find("sitemap.xml?page=2</loc>") != std::string::npos);
    CHECK(count_of(sitemap(of.acme, at, 1, 3), "<url>") == 3);
    CHECK(count_of(sitemap(of.acme, at, 2, 3), "<url>") == 1);
    CHECK(is_well_formed(sitemap(of.acme, at, 9, 3)));
}

TEST_CASE("feeds of an organization without jobs are valid and empty", "[feeds]") {
    auto const empty = sample_organization();
    auto const page = page_of(empty, sample_now, 1, 100);
    CHECK(page.last == 1);
    CHECK(is_well_formed(rss(empty, page, sample_public_url)));
    CHECK(is_well_formed(job_board(empty)));
    CHECK(json::parse(json_feed(empty, page, sample_public_url)).at("items").as_array().empty());
}

TEST_CASE("a page that makes no sense is the first", "[feeds]") {
    CHECK(requested_page("") == 1);
    CHECK(requested_page("page=3") == 3);
    CHECK(requested_page("utm=x&page=2") == 2);
    for (char const* query : {"page=", "page=0", "page=-1", "page=x", "page=99999999999999999999"})
        CHECK(requested_page(query) == 1);
    CHECK(rfc822_time(*parse_time("2024-02-29T23:59:59Z")) == "Thu, 29 Feb 2024 23:59:59 GMT");
}

} // namespace feeds_test
