// What logs and audit rows keep of a path.
#include "http/loggable_path.hpp"
#include "support/catch.hpp"

#include <string>

namespace loggable_path_test {
using recruiting::http::loggable_path;

TEST_CASE("words of routes, ids and public slugs stay in a logged path", "[http][log]") {
    for (std::string const path : {"/", "/api/v1/me", "/api/v1/jobs/018e0ee9ff007d36af8d8c43e77f2988/candidates",
                                   "/api/v1/candidates/018e0ee9-ff00-7d36-af8d-8c43e77f2988", "/careers/acme-gmbh",
                                   "/careers/style.css", "/careers/acme/jobs/018e0ee9ff007d36af8d8c43e77f2988",
                                   "/api/public/v1/organizations/acme/jobs.rss", "/interviews/", "/api/v1/jobs/"})
        CHECK(loggable_path(path) == path);
}

TEST_CASE("what a client chose is no part of a logged path, at any place and in any form", "[http][log]") {
    for (std::string const chosen : {"anna@example.com", "anna%40example.com", "Anna", "anna-lee", "4917012345678",
                                     "a;b=c", "sp_live_abc", "tok3n", "dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBhbnlib2R5cw_",
                                     "118e0ee9ff007d36af8d8c43e77f298", "\xc3\xa9", "\x1b[2J"}) {
        CAPTURE(chosen);
        for (std::string const before :
             {"/", "/api/v1/", "/api/v1/candidates/", "/api/v1/candidate/",
              "/api/v1/jobs/018e0ee9ff007d36af8d8c43e77f2988/", "/api/v1/organizations/",
              "/api/public/v1/scheduling/manage/", "/interviews/", "/careers/acme/", "/docs/"}) {
            CHECK(loggable_path(before + chosen).find(chosen) == std::string::npos);
            CHECK(loggable_path(before + chosen + "/x").find(chosen) == std::string::npos);
        }
    }
    CHECK(loggable_path("/api/v1/candidates/anna@example.com") == "/api/v1/candidates/{id}");
    CHECK(loggable_path("/api/v1/candidate/anna%40example.com") == "/api/v1/{id}/{id}");
    CHECK(loggable_path("/careers/anna@example.com") == "/careers/{id}");
    CHECK(loggable_path("/interviews/tok3n/cancel") == "/interviews/{id}/cancel");
    CHECK(loggable_path("*") == "{id}");
    CHECK(loggable_path("").empty());
}

TEST_CASE("a logged path has an end", "[http][log]") {
    std::string path;
    for (int i = 0; i < 4'000; ++i) path += "/a";
    auto const logged = loggable_path(path);
    CHECK(logged.size() <= 512);
    CHECK(logged.size() > 500);
}

} // namespace loggable_path_test
