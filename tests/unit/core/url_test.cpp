#include "core/url.hpp"
#include "support/catch.hpp"

namespace job_page_test {
using namespace recruiting;

TEST_CASE("publicUrl: below the careers page, else on this installation's pages", "[core]") {
    auto const id = *parse_id("0199c1a1c3d87f02b5a6e4d17c930f58");
    std::string const ours = "https://jobs.example.com/careers/acme/jobs/0199c1a1c3d87f02b5a6e4d17c930f58";
    for (auto const* none : {"", "/", "//"}) CHECK(job_page_url(none, "https://jobs.example.com", "acme", id) == ours);
    for (auto const* own :
         {"https://acme.example/careers", "https://acme.example/careers/", "https://acme.example/careers//"})
        CHECK(job_page_url(own, "https://jobs.example.com", "acme", id) ==
              "https://acme.example/careers/jobs/0199c1a1c3d87f02b5a6e4d17c930f58");
}

} // namespace job_page_test
