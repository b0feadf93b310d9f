// The pages for people: what they hold, what may not run, and the languages of their own words.
#include "public_api/pages/assets.hpp"
#include "public_api/pages/careers_page.hpp"
#include "public_api/pages/page.hpp"
#include "support/catch.hpp"
#include "unit/public_api/made_input.hpp"
#include "unit/public_api/published_sample.hpp"
#include "words/words.hpp"

#include <boost/json.hpp>

namespace pages_test {
using namespace recruiting;
using namespace recruiting::public_api;
using namespace recruiting::test;

namespace {

std::string field_of(http::response const& answer, std::string_view name) {
    for (auto const& [field, value] : answer.headers)
        if (field == name) return value;
    return {};
}

http::response answer_of(action get, http::path_params params, std::string query = {}, std::string language = {},
                         catalogue const& published = sample_catalogue()) {
    made_input made(std::move(params), "/careers", std::move(query), sample_now);
    made.published = published;
    made.public_url = sample_public_url;
    made.request.headers = {{"Accept-Language", language}};
    auto planned = get(made.get());
    if (planned) return std::get<http::response>(*planned);
    http::response refused;
    refused.status = http_status(planned.error().code);
    return refused;
}

// A page of the organization with the full job alone.
http::response page_of(published_organization const& of, action get, http::path_params params, std::string query = {}) {
    catalogue const nothing;
    auto const published =
        catalogue_builder(nothing, std::string(sample_public_url)).put(of, {packed_job(full_job())}).build();
    return answer_of(get, std::move(params), std::move(query), {}, published);
}

http::response careers(std::string query = {}, std::string language = {}) {
    return answer_of(get_careers_page, {{"acme"}, 1}, std::move(query), std::move(language));
}

http::response job_page(std::string slug, std::uint8_t number) {
    uuid id;
    id.bytes.back() = number;
    return answer_of(get_job_page, {{std::move(slug), to_string(id)}, 2});
}

bool holds(http::response const& answer, std::string_view part) { return answer.body.find(part) != std::string::npos; }

// What stands between the first JSON-LD script's tags.
boost::json::object json_ld_of(http::response const& answer) {
    constexpr std::string_view tag = "<script type=\"application/ld+json\">";
    auto const begin = answer.body.find(tag) + tag.size();
    return boost::json::parse(answer.body.substr(begin, answer.body.find("</script>", begin) - begin)).as_object();
}

} // namespace

TEST_CASE("the careers page lists what is open", "[pages]") {
    auto const page = careers();
    CHECK(page.status == 200);
    CHECK(page.content_type == "text/html; charset=utf-8");
    CHECK(holds(page, "Robot Engineer"));
    CHECK(holds(page, "Remote Clerk"));
    CHECK_FALSE(holds(page, "Closed"));
    CHECK(holds(
        page, "<p class=\"quiet\">Engineering · Berlin, Germany</p><div class=\"tags small\"><span class=\"tag\">Hybrid"
              "</span><span class=\"tag\">Full-time</span><span class=\"pay\">€60,000 – €80,000 a year</span></div>"));
    CHECK(holds(page, "role=\"status\">3 open positions</p>"));
    CHECK(holds(page, "<link rel=\"canonical\" href=\"https://jobs.example.com/careers/acme\">"));
    CHECK(holds(page, "<link rel=\"alternate\" type=\"application/rss+xml\" "
                      "href=\"https://jobs.example.com/api/public/v1/organizations/acme/jobs.rss\">"));
    CHECK(json_ld_of(page).at("itemListElement").as_array().size() == 3);
}

TEST_CASE("the form filters without a script, and says what it filtered by", "[pages]") {
    auto const page = careers("q=ROBOT&department=&location=Berlin&workplaceType=hybrid&employmentType=full_time");
    CHECK(holds(page, "Robot Engineer"));
    CHECK_FALSE(holds(page, "Remote Clerk"));
    CHECK(holds(page, "value=\"ROBOT\""));
    CHECK(holds(page, "<option value=\"hybrid\" selected=\"\">Hybrid (1)</option>"));
    CHECK(holds(page, "noindex, follow"));
    auto const none = careers("department=Gone&utm_source=x&page=99&workplaceType=nonsense&q=%ff");
    CHECK(none.status == 200);
    CHECK(holds(none, "No open position matches."));
    CHECK(holds(none, "<option value=\"Gone\" selected=\"\">Gone (0)</option>"));
}

TEST_CASE("pages run nothing of what a job holds", "[pages]") {
    for (auto const& page : {careers(), careers("q=%3C/script%3E%22%3E%3Cimg+onerror%3Dx%3E"), job_page("acme", 2)}) {
        CHECK_FALSE(holds(page, "</script><!--"));
        CHECK_FALSE(holds(page, "<img onerror"));
        auto const policy = field_of(page, "Content-Security-Policy");
        CHECK(
            policy.starts_with("default-src 'none'; style-src 'self'; img-src 'self' data: https://cdn.acme.example;"));
        CHECK(policy.find("unsafe") == std::string::npos);
        CHECK_FALSE(field_of(page, "Permissions-Policy").empty());
    }
    CHECK(json_ld_of(job_page("acme", 2)).at("title").as_string() == std::string(hostile));
}

TEST_CASE("a job's page holds its facts, its posting and the choice of a time", "[pages]") {
    auto const page = job_page("acme", 1);
    CHECK(page.status == 200);
    CHECK(holds(page, "<div><dt>Salary</dt><dd>€60,000 – €80,000 a year</dd></div>"));
    CHECK(holds(page, "<div><dt>Location</dt><dd>Berlin, Germany</dd></div>"));
    std::string const apply = "<a class=\"button main\" href=\"https://acme.example\">Apply</a>";
    CHECK(holds(page, "<h1>Robot Engineer</h1>" + apply));
    CHECK(holds(page, "<div class=\"apply row\">" + apply));
    CHECK_FALSE(holds(page, "About Acme"));
    CHECK(holds(page, "<meta name=\"description\" content=\"build robots &amp; more"));
    CHECK(holds(page, "<h2>You</h2><p>build <strong>robots</strong> &amp; more</p>"));
    CHECK(holds(page, "<recruiting-booking job=\"00000000000000000000000000000001\" heading-level=\"1\">"));
    CHECK(holds(page, "<noscript><p>"));
    CHECK(holds(page, "<script src=\"/widget/v1.js\" defer=\"\"></script>"));
    CHECK(field_of(page, "Content-Security-Policy").find("script-src 'self'; connect-src 'self'") != std::string::npos);
    CHECK(json_ld_of(page).at("@type").as_string() == "JobPosting");
    CHECK_FALSE(holds(page, "The original posting"));

    auto const plain = job_page("acme", 3);
    CHECK_FALSE(holds(plain, "/widget/v1.js"));
    CHECK(field_of(plain, "Content-Security-Policy").find("script-src") == std::string::npos);
    CHECK(holds(job_page("bare", 5), "href=\"https://bare.example/careers/jobs/00000000000000000000000000000005\""));
}

TEST_CASE("without an address to apply at, the page leads to the choice of an interview's time", "[pages]") {
    auto acme = sample_organization();
    acme.website_url.reset();
    auto const page = page_of(acme, get_job_page, {{"acme", "00000000000000000000000000000001"}, 2});
    CHECK(holds(page, "<h1>Robot Engineer</h1><a class=\"button main\" href=\"#interview\">Book an interview</a>"));
    CHECK(holds(page, "<details id=\"interview\">"));
    CHECK_FALSE(holds(page, ">Apply<"));
}

TEST_CASE("an organization introduces itself above its jobs, and shortened on the page of each", "[pages]") {
    auto acme = sample_organization();
    acme.introduction_html = "<h2>Robots</h2><p>We build <strong>robots</strong> &amp; more. ";
    for (int i = 0; i < 200; ++i) acme.introduction_html->append("again ");
    acme.introduction_html->append("at last</p><p>Second paragraph</p>");
    auto const careers_page = page_of(acme, get_careers_page, {{"acme"}, 1});
    auto const text = careers_page.body.find(*acme.introduction_html);
    REQUIRE(text != std::string::npos);
    CHECK(careers_page.body.find("<form") > text);
    CHECK(holds(careers_page, "aria-label=\"About Acme &amp; Söhne\""));
    for (auto const* query : {"q=robot", "page=2", "department=Engineering"}) {
        CAPTURE(query);
        bool const is_first = holds(page_of(acme, get_careers_page, {{"acme"}, 1}, query), "at last");
        CHECK(is_first == (std::string_view(query) == "page=2")); // there is one page, which is then the first
    }
    auto const job = page_of(acme, get_job_page, {{"acme", "00000000000000000000000000000001"}, 2});
    CHECK(holds(job, "<h2>About Acme &amp; Söhne</h2><p>We build robots &amp; more."));
    CHECK(holds(job, "again…</p>"));
    CHECK_FALSE(holds(job, "at last"));
    acme.introduction_html = "<p>We build robots.</p><ul><li>Small teams</li></ul>";
    auto const brief = page_of(acme, get_job_page, {{"acme", "00000000000000000000000000000001"}, 2});
    CHECK(holds(brief, "<p>We build robots.</p><p><a href=\"/careers/acme\">All open positions"));
}

TEST_CASE("what is not there, closed or another's is not found", "[pages]") {
    CHECK(answer_of(get_careers_page, {{"nobody"}, 1}).status == 404);
    CHECK(job_page("acme", 99).status == 404);
    CHECK(job_page("acme", 4).status == 404);
    CHECK(job_page("bare", 1).status == 404);
    CHECK(answer_of(get_job_page, {{"acme", "nonsense"}, 2}).status == 404);
}

TEST_CASE("an error is a page for people and the envelope for programs", "[pages]") {
    http::request req;
    req.path = "/careers/nobody";
    req.headers = {{"Accept", "text/html,*/*;q=0.8"}, {"Accept-Language", "de-CH,en;q=0.5"}};
    auto const page = refusal(make_error(error_code::not_found), req, "request-1");
    CHECK(page.status == 404);
    CHECK(holds(page, "<html lang=\"de\">"));
    CHECK(holds(page, "Diese Seite gibt es nicht"));
    CHECK(holds(page, "request-1"));
    CHECK(field_of(page, "Cache-Control") == "no-store");

    auto busy = make_error(error_code::rate_limited);
    busy.retry_after_seconds = 7;
    CHECK(field_of(refusal(busy, req, "r"), "Retry-After") == "7");
    req.path = "/api/public/v1/jobs/x";
    CHECK(refusal(make_error(error_code::not_found), req, "r").content_type == "application/json");
    req.path = "/careers/nobody";
    req.headers = {{"Accept", "*/*"}};
    CHECK(refusal(make_error(error_code::not_found), req, "r").content_type == "application/json");
}

TEST_CASE("a logo whose address could not stand in a policy is not shown", "[pages]") {
    for (char const* address : {"https://a.example;script-src *", "javascript:x", "https://", "https://a b/x", "//a"}) {
        page shown;
        shown.organization = "Acme";
        shown.logo_url = address;
        auto const answer = page_answer(shown);
        INFO(address);
        CHECK_FALSE(holds(answer, "<img"));
        CHECK(field_of(answer, "Content-Security-Policy").find("img-src 'self' data:; form-action") !=
              std::string::npos);
    }
}

TEST_CASE("a private page is kept by nobody and told to nobody", "[pages]") {
    page shown;
    shown.is_private = true;
    auto const answer = page_answer(shown);
    CHECK(field_of(answer, "Cache-Control") == "no-store");
    CHECK(field_of(answer, "Referrer-Policy") == "no-referrer");
    CHECK(field_of(answer, "X-Robots-Tag") == "noindex, nofollow");
}

TEST_CASE("the style is kept for a year under its hash alone", "[pages]") {
    auto const address = style_address();
    made_input named({}, "/careers/style.css", address.substr(address.find('?') + 1));
    CHECK(field_of(std::get<http::response>(*get_style(named.get())), "Cache-Control") ==
          "public, max-age=31536000, immutable");
    made_input other({}, "/careers/style.css", "v=old");
    CHECK(field_of(std::get<http::response>(*get_style(other.get())), "Cache-Control").empty());
}

TEST_CASE("words in the language asked for", "[pages]") {
    auto const asked = [](std::string_view field) { return requested_words(field).language; };
    CHECK(asked("") == "en");
    CHECK(asked("de") == "de");
    CHECK(asked("pt, fr-CA;q=0.8, de;q=0.9") == "de");
    CHECK(asked("JA-jp") == "ja");
    CHECK(asked("it-CH") == "it");
    CHECK(asked("es;q=0, en;q=0.1") == "en");
    CHECK(asked("*;q=0.5") == "en");
    CHECK(asked(";;;,q=,=;q=9, , fr;q=0.001") == "fr");
    for (auto const& in : all_words())
        for (auto const value : {"on_site", "other", "per_year"}) CHECK(word_for(in, value) != value);
    CHECK(word_for(words_for("de"), "anything") == "anything");
    CHECK(careers({}, "ja").body.find("<html lang=\"ja\">") != std::string::npos);
}

} // namespace pages_test
