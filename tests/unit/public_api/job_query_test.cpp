// The public job list's input: filters, limit, cursors, the next page's address.
#include "public_api/catalogue/endpoints.hpp"
#include "public_api/pages/careers_page.hpp"
#include "support/catch.hpp"
#include "unit/public_api/made_input.hpp"

namespace job_query_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

http::token_signer const signer("a secret of thirty-two bytes or so");

result<job_query> parse(std::string_view query) { return parse_job_query("acme", query, signer); }

std::vector<std::pair<std::string, std::string>> problems_of(std::string_view query) {
    auto const parsed = parse_job_query(std::nullopt, query, signer);
    std::vector<std::pair<std::string, std::string>> found;
    if (parsed) return found;
    REQUIRE(parsed.error().code == error_code::invalid_request);
    for (auto const& detail : parsed.error().details) found.emplace_back(detail.field, detail.reason);
    return found;
}

using problems = std::vector<std::pair<std::string, std::string>>;

job_position some_position() {
    return {*parse_time("2026-01-31T09:30:00.123456Z"), *parse_id("0199c1a1c3d87f02b5a6e4d17c930f58")};
}

} // namespace

TEST_CASE("nothing given: the first fifty of the organization", "[public_api]") {
    auto const query = parse("");
    REQUIRE(query.has_value());
    REQUIRE(query->organization_slug == "acme");
    REQUIRE(query->limit == 50);
    REQUIRE_FALSE(query->after);
    REQUIRE_FALSE(query->filters.department);
}

TEST_CASE("every filter is read, percent-decoded", "[public_api]") {
    auto const query = parse("department=R%26D&location=Z%C3%BCrich&workplaceType=on_site&employmentType=contract&q=c%"
                             "2B%2B+engineer&limit=100");
    REQUIRE(query.has_value());
    REQUIRE(query->filters.department == "R&D");
    REQUIRE(query->filters.location == "Zürich");
    REQUIRE(query->filters.workplace_types == std::vector<std::string>{"on_site"});
    REQUIRE(query->filters.employment_types == std::vector<std::string>{"contract"});
    REQUIRE(query->filters.q == "c++ engineer");
    REQUIRE(query->limit == 100);
}

TEST_CASE("a filter has at most 200 characters, in the API and on the careers page", "[public_api]") {
    for (std::string_view const character : {"x", "日", "😀"}) {
        std::string longest;
        for (int i = 0; i < 200; ++i) longest += character;
        auto const query = "department=" + longest;
        auto const parsed = parse(query);
        REQUIRE(parsed.has_value());
        CHECK(parsed->filters.department == longest);
        CHECK(problems_of("organization=acme&" + query + "x&q=" + longest) == problems{{"department", "too_long"}});
        CHECK(parse_careers_query(query).filters.department == longest);
        CHECK_FALSE(parse_careers_query(query + "x").filters.department);
    }
}

TEST_CASE("several values in workplaceType and employmentType, in any order", "[public_api][values]") {
    auto const query = parse("workplaceType=remote,hybrid&employmentType=contract,full_time,contract");
    REQUIRE(query.has_value());
    CHECK(query->filters.workplace_types == std::vector<std::string>{"hybrid", "remote"});
    CHECK(query->filters.employment_types == std::vector<std::string>{"contract", "full_time"});
    CHECK(problems_of("organization=acme&workplaceType=remote,here&employmentType=contract,") ==
          problems{{"workplaceType", "unknown_value"}, {"employmentType", "unknown_value"}});
    auto const cursor = make_cursor({{}, {}}, *query, signer);
    CHECK(parse("employmentType=full_time,contract&workplaceType=hybrid,remote&cursor=" + cursor).has_value());
    CHECK_FALSE(parse("employmentType=full_time&workplaceType=hybrid,remote&cursor=" + cursor).has_value());
}

TEST_CASE("unknown parameters are ignored, whatever they hold", "[public_api]") {
    REQUIRE(parse("utm_source=x&utm_source=y&fbclid=%FF&%FF=1&=&&sort=title").has_value());
}

TEST_CASE("all problems of known parameters are told at once", "[public_api]") {
    REQUIRE(problems_of("organization=acme&limit=0&workplaceType=x&employmentType=&cursor=x") ==
            problems{{"workplaceType", "unknown_value"},
                     {"employmentType", "unknown_value"},
                     {"limit", "out_of_range"},
                     {"cursor", "bad_cursor"}});
    REQUIRE(problems_of("organization=a&limit=101") == problems{{"limit", "out_of_range"}});
    REQUIRE(problems_of("organization=a&limit=ten") == problems{{"limit", "wrong_type"}});
    REQUIRE(problems_of("organization=a&limit=5&limit=6") == problems{{"limit", "repeated"}});
    REQUIRE(problems_of("organization=a&department=%00") ==
            problems{{"department", "bad_encoding"}, {"department", "empty"}});
    REQUIRE(problems_of("limit=5") == problems{{"organization", "missing"}});
}

TEST_CASE("a cursor goes on where it was made, with the same filters only", "[public_api]") {
    auto const with_filters = parse("department=Sales&q=a");
    auto const cursor = make_cursor(some_position(), *with_filters, signer);
    auto const next = parse("q=a&limit=7&department=Sales&cursor=" + cursor); // order and limit are no filters
    REQUIRE(next.has_value());
    REQUIRE(next->after->published_at == some_position().published_at);
    REQUIRE(next->after->id == some_position().id);
    REQUIRE_FALSE(parse("department=Sales&cursor=" + cursor).has_value());
    REQUIRE_FALSE(parse("department=a&q=Sales&cursor=" + cursor).has_value());
    REQUIRE_FALSE(parse_job_query("other", "department=Sales&q=a&cursor=" + cursor, signer).has_value());
    REQUIRE_FALSE(parse_job_query("acme", "department=Sales&q=a&cursor=" + cursor, http::token_signer("another secret"))
                      .has_value());
    for (std::size_t i = 0; i < cursor.size(); ++i) {
        auto changed = cursor;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        REQUIRE_FALSE(parse("department=Sales&q=a&cursor=" + changed).has_value());
    }
    auto const foreign = signer.sign({"candidates", "x", "2026-01-31T09:30:00Z", "0199c1a1c3d87f02b5a6e4d17c930f58"});
    REQUIRE_FALSE(parse("cursor=" + foreign).has_value());
}

TEST_CASE("the next page's address is the same request with another cursor", "[public_api]") {
    REQUIRE(next_page_address("/p", "", "c") == "/p?cursor=c");
    REQUIRE(next_page_address("/p", "q=a+b&cursor=old&limit=2&x=%3C%22%3E", "new") ==
            "/p?q=a%20b&limit=2&x=%3C%22%3E&cursor=new");
    REQUIRE(next_page_address("/p", "a=<>\"\r\n", "c") ==
            "/p?a=%3C%3E%22%0D%0A&cursor=c"); // can't leave the Link field
}

TEST_CASE("what names no organization is not found", "[public_api]") {
    http::path_params params;
    params.count = 1;
    for (auto const* slug : {"Not A Slug", "nobody", ""}) {
        params.values[0] = slug;
        auto const plan = list_organization_jobs(test::made_input(params, "/p", "").get());
        REQUIRE_FALSE(plan.has_value());
        REQUIRE(plan.error().code == error_code::not_found);
    }
}

} // namespace job_query_test
