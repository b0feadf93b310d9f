// The documentation the edge serves: its table, and what each request below /docs is answered.
#include "gateway/answers/document_answer.hpp"
#include "gateway/phases.hpp"
#include "support/catch.hpp"

#include <stdexcept>

using namespace recruiting;
using namespace recruiting::gateway;

namespace {

route_table const routes = [] {
    auto out = default_routes;
    out.push_back(documents_route(std::string(documents_prefix)));
    return out;
}();

document_site const site({
    {"index.html", "the front page", ""},
    {"errors.html", "a page, a page, a page", "squeezed"},
    {"decisions/index.html", "all decisions", ""},
    {"assets/site.0123456789ab.css", "a{}", ""},
    {"404.html", "no such page", ""},
});

request_context x;

// What is sent for "GET /docs/x" and the like; "" when it is left to the API's form.
std::string answered(std::string const& line, std::string const& fields = {}, document_site const& from = site) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: docs.example\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x, {}, routes));
    REQUIRE(x.to != nullptr);
    std::string out;
    auto const body = append_document_answer(out, x, from);
    return body ? out.append(*body) : "";
}

bool has(std::string const& answer, std::string_view part) { return answer.find(part) != std::string::npos; }

std::string body_of(std::string const& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

std::string etag_of(std::string const& answer) {
    auto const from = answer.find("ETag: ") + 6;
    return answer.substr(from, answer.find("\r\n", from) - from);
}

std::string refused(std::string const& line, std::string const& fields = {}) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: docs.example\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x, {}, routes));
    auto const why = admit(x, {});
    return why ? std::string(to_string(why->error.code)) + why->error.allow : "";
}

} // namespace

TEST_CASE("a document is answered whole, and says how long it holds", "[gateway][documents]") {
    auto const page = answered("GET /docs/errors.html");
    CHECK(page.starts_with("HTTP/1.1 200 OK\r\nDate: "));
    CHECK(has(page, "Content-Type: text/html; charset=utf-8\r\nContent-Length: 22\r\n"));
    CHECK(has(page, "Cache-Control: no-cache\r\nVary: Accept-Encoding\r\n"));
    CHECK(has(page, "Content-Security-Policy: default-src 'none'; script-src 'self'; "));
    CHECK(body_of(page) == "a page, a page, a page");
    CHECK(has(answered("GET /docs/assets/site.0123456789ab.css"),
              "Cache-Control: public, max-age=31536000, immutable\r\n"));
}

TEST_CASE("folders are answered by their page", "[gateway][documents]") {
    CHECK(body_of(answered("GET /docs/")) == "the front page");
    CHECK(body_of(answered("GET /docs/index.html")) == "the front page");
    CHECK(body_of(answered("GET /docs/decisions/?a=b")) == "all decisions");
    CHECK(has(answered("GET /docs"), "HTTP/1.1 308 Permanent Redirect\r\n"));
    CHECK(has(answered("GET /docs?q=x"), "\r\nLocation: /docs/?q=x\r\n"));
    CHECK(has(answered("GET /docs/decisions"), "\r\nLocation: /docs/decisions/\r\n"));
}

TEST_CASE("the compressed form goes to who asks for it, with a tag of its own", "[gateway][documents]") {
    auto const plain = answered("GET /docs/errors.html", "Accept-Encoding: br\r\n");
    auto const small = answered("GET /docs/errors.html", "Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n");
    CHECK_FALSE(has(plain, "Content-Encoding"));
    CHECK(has(small, "Content-Encoding: gzip\r\nContent-Length: 8\r\n"));
    CHECK(body_of(small) == "squeezed");
    CHECK(etag_of(plain) != etag_of(small));
    CHECK_FALSE(has(answered("GET /docs/", "Accept-Encoding: gzip\r\n"), "Vary"));
}

TEST_CASE("who has it already is told so", "[gateway][documents]") {
    auto const tag = etag_of(answered("GET /docs/errors.html"));
    for (auto const& sent : {tag, "W/" + tag, "\"a\", " + tag, std::string("*")}) {
        INFO(sent);
        auto const answer = answered("GET /docs/errors.html", "If-None-Match: " + sent + "\r\n");
        CHECK(answer.starts_with("HTTP/1.1 304 Not Modified\r\n"));
        CHECK(has(answer, "ETag: " + tag));
        CHECK_FALSE(has(answer, "Content-Length"));
        CHECK(body_of(answer).empty());
    }
    CHECK(has(answered("GET /docs/errors.html", "If-None-Match: \"other\"\r\n"), " 200 OK\r\n"));
    CHECK(has(answered("GET /docs/errors.html", "Accept-Encoding: gzip\r\nIf-None-Match: " + tag + "\r\n"), " 200 OK"));
}

TEST_CASE("HEAD tells all but the body", "[gateway][documents]") {
    auto const answer = answered("HEAD /docs/errors.html");
    CHECK(has(answer, "Content-Length: 22\r\n"));
    CHECK(body_of(answer).empty());
    CHECK(body_of(answered("HEAD /docs/none", "Accept: text/html\r\n")).empty());
}

TEST_CASE("where nothing is, a browser gets a page and a program the API's error", "[gateway][documents]") {
    auto const page = answered("GET /docs/none.html", "Accept: text/html,*/*;q=0.8\r\n");
    CHECK(page.starts_with("HTTP/1.1 404 Not Found\r\n"));
    CHECK_FALSE(has(page, "ETag"));
    CHECK(body_of(page) == "no such page");
    CHECK(answered("GET /docs/none.html", "Accept: */*\r\n").empty());
    document_site const without_page({{"index.html", "x", ""}});
    CHECK(answered("GET /docs/none.html", "Accept: text/html\r\n", without_page).empty());
}

TEST_CASE("only names in the table answer", "[gateway][documents]") {
    for (std::string const path : {"/docs/404.html", "/docs/Errors.html", "/docs/errors.html/", "/docs/errors.html.gz",
                                   "/docs/errors", "/docs/decisions/errors.html", "/docs/errors.html%00"}) {
        INFO(path);
        x.reset();
        x.head_text = "GET " + path + " HTTP/1.1\r\nHost: docs.example\r\n\r\n";
        if (read_request(x, {}, routes)) continue; // no path at all
        CHECK(answered("GET " + path).empty());
    }
}

TEST_CASE("documentation is not counted, and takes no key and no other method", "[gateway][documents]") {
    for (std::string const method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
        CHECK(refused(method + " /docs/") == "method_not_allowedGET, HEAD");
    CHECK(refused("BREW /docs/") == "not_implemented");
    CHECK(refused("GET /docs/", "Authorization: Bearer sp_test_" + std::string(34, 'k') + "3hPBeM\r\n") ==
          "credential_not_allowed");
    CHECK(refused("GET /docs/").empty());
    CHECK_FALSE(is_counted(x));
    CHECK(refused("GET /docsx") == "not_found");
}

TEST_CASE("files whose names have more than one spelling are refused", "[gateway][documents]") {
    for (std::string const name : {"a b.html", "a/../b", ".hidden", "a//b", "a%41.html", "\xC3\xA4.html", ""}) {
        INFO(name);
        CHECK_FALSE(is_site_name(name));
        CHECK_THROWS_AS(document_site({{name, "", ""}}), std::runtime_error);
    }
    CHECK(is_site_name("decisions/0031-counting-requests.html"));
}

TEST_CASE("a name with a hash of the content is known as one", "[gateway][documents]") {
    CHECK(is_named_by_content("assets/site.0123456789ab.css"));
    for (std::string const name : {"assets/site.css", "site.0123456789AB.css", "site.0123456789abc.css", ".css", "css"})
        CHECK_FALSE(is_named_by_content(name));
}
