// The documentation that public-api serves: its table, and the response to each request below /docs.
#include "public_api/docs/document_site.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/routes.hpp"
#include "support/catch.hpp"
#include "unit/public_api/made_input.hpp"

#include <stdexcept>

namespace documents_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

using fields = std::vector<std::pair<std::string_view, std::string_view>>;

document_site const site({
    {"index.html", "the front page", ""},
    {"errors.html", "a page, a page, a page", "squeezed"},
    {"decisions/index.html", "all decisions", ""},
    {"assets/site.0123456789ab.css", "a{}", ""},
    {"404.html", "no such page", ""},
});

std::optional<http::response> find(std::string_view path, fields headers = {}, document_site const& in = site) {
    auto const question = std::min(path.find('?'), path.size());
    http::request request;
    request.method = "GET";
    request.path = path.substr(0, question);
    request.query = path.substr(std::min(question + 1, path.size()));
    request.headers = std::move(headers);
    return answer_document(in, request, request.path.substr(documentation.size()));
}

http::response shown(std::string_view path, fields headers = {}) {
    auto answer = find(path, std::move(headers));
    REQUIRE(answer);
    return std::move(*answer);
}

std::string value(http::response const& answer, std::string_view name) {
    for (auto const& [field, value] : answer.headers)
        if (field == name) return value;
    return {};
}

} // namespace

TEST_CASE("a document is answered whole, and says how long it holds", "[public_api][documents]") {
    auto const page = shown("/docs/errors.html");
    CHECK(page.status == 200);
    CHECK(page.content_type == "text/html; charset=utf-8");
    CHECK(page.content() == "a page, a page, a page");
    CHECK(value(page, "Cache-Control") == "no-cache");
    CHECK(value(page, "Vary") == "Accept-Encoding");
    CHECK(value(page, "Content-Security-Policy").starts_with("default-src 'none'; script-src 'self'; "));
    CHECK(value(page, "Referrer-Policy") == "no-referrer");
    CHECK(value(shown("/docs/assets/site.0123456789ab.css"), "Cache-Control") == "public, max-age=31536000, immutable");
}

TEST_CASE("folders are answered by their page", "[public_api][documents]") {
    CHECK(shown("/docs/").content() == "the front page");
    CHECK(shown("/docs/index.html").content() == "the front page");
    CHECK(shown("/docs/decisions/?a=b").content() == "all decisions");
    CHECK(shown("/docs").status == 308);
    CHECK(value(shown("/docs?q=x"), "Location") == "/docs/?q=x");
    CHECK(value(shown("/docs/decisions"), "Location") == "/docs/decisions/");
}

TEST_CASE("the compressed form goes to who asks for it, with a tag of its own", "[public_api][documents]") {
    auto const plain = shown("/docs/errors.html", {{"Accept-Encoding", "br"}});
    auto const small = shown("/docs/errors.html", {{"Accept-Encoding", "br"}, {"accept-encoding", "gzip"}});
    CHECK(value(plain, "Content-Encoding").empty());
    CHECK(value(small, "Content-Encoding") == "gzip");
    CHECK(small.content() == "squeezed");
    CHECK(value(plain, "ETag") != value(small, "ETag"));
    CHECK(value(shown("/docs/", {{"Accept-Encoding", "gzip"}}), "Vary").empty());
}

TEST_CASE("a body is shared by all its responses, never copied", "[public_api][documents]") {
    CHECK(shown("/docs/errors.html").shared_body == shown("/docs/errors.html").shared_body);
}

TEST_CASE("who has it already is told so", "[public_api][documents]") {
    auto const tag = value(shown("/docs/errors.html"), "ETag");
    for (auto const& sent : {tag, "W/" + tag, "\"a\", " + tag, std::string("*")}) {
        INFO(sent);
        auto const answer = shown("/docs/errors.html", {{"If-None-Match", sent}});
        CHECK(answer.status == 304);
        CHECK(value(answer, "ETag") == tag);
        CHECK(answer.content().empty());
    }
    CHECK(shown("/docs/errors.html", {{"If-None-Match", "\"other\""}}).status == 200);
    CHECK(shown("/docs/errors.html", {{"Accept-Encoding", "gzip"}, {"If-None-Match", tag}}).status == 200);
}

TEST_CASE("where nothing is, a browser gets a page and a program the API's error", "[public_api][documents]") {
    auto const page = shown("/docs/none.html", {{"Accept", "text/html,*/*;q=0.8"}});
    CHECK(page.status == 404);
    CHECK(value(page, "ETag").empty());
    CHECK(page.content() == "no such page");
    CHECK_FALSE(find("/docs/none.html", {{"Accept", "*/*"}}));
    document_site const without_page({{"index.html", "x", ""}});
    CHECK_FALSE(find("/docs/none.html", {{"Accept", "text/html"}}, without_page));
}

TEST_CASE("only names in the table answer", "[public_api][documents]") {
    for (std::string const path : {"/docs/404.html", "/docs/Errors.html", "/docs/errors.html/", "/docs/errors.html.gz",
                                   "/docs/errors", "/docs/decisions/errors.html", "/docs/errors.html%00",
                                   "/docs/../errors.html", "/docs/%2e%2e/errors.html", "/docs//errors.html"}) {
        INFO(path);
        CHECK_FALSE(find(path));
    }
}

TEST_CASE("without documentation, or before the jobs are known, /docs is 404", "[public_api][documents]") {
    test::made_input const made({}, "/docs/", "");
    auto const planned = get_document(made.get());
    REQUIRE(planned.has_value());
    CHECK(std::get<http::response>(*planned).status == 404);
}

TEST_CASE("everything below /docs is the documentation's, for GET and HEAD alone", "[public_api][documents]") {
    for (std::string_view const path : {"/docs", "/docs/", "/docs/a/b/c/d/e.html", "/docs/%zz"}) {
        INFO(path);
        CHECK(is_document(find_route("HEAD", path)));
        CHECK(find_route("GET", path).allow.empty());
        for (std::string_view const method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
            CHECK(find_route(method, path).allow == "GET, HEAD");
    }
    CHECK_FALSE(find_route("GET", "/docsx").known);
    CHECK_FALSE(is_document(find_route("GET", "/careers/acme")));
}

TEST_CASE("files whose names have more than one spelling are refused", "[public_api][documents]") {
    for (std::string const name : {"a b.html", "a/../b", ".hidden", "a//b", "a%41.html", "\xC3\xA4.html", ""}) {
        INFO(name);
        CHECK_FALSE(http::is_site_name(name));
        CHECK_THROWS_AS(document_site({{name, "", ""}}), std::runtime_error);
    }
    CHECK(http::is_site_name("decisions/0031-counting-requests.html"));
}

TEST_CASE("a name with a hash of the content is known as one", "[public_api][documents]") {
    CHECK(http::is_named_by_content("assets/site.0123456789ab.css"));
    CHECK(http::is_named_by_content("app.0123456789abcdef.js"));
    for (std::string const name : {"assets/site.css", "site.0123456789AB.css", "site.0123456789abc.css", ".css", "css"})
        CHECK_FALSE(http::is_named_by_content(name));
}

} // namespace documents_test
