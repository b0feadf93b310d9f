// The owner's role and the key's state are read live (proto-docs/keys.md): what happened before a request began is seen
// by it, whatever runs beside it.
#include "integration/auth_api/harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace live_test {
using namespace recruiting;
using namespace recruiting::test;

TEST_CASE("no request that begins after a revocation is answered, under load", "[auth_api][live]") {
    test_database database;
    auto const slug = new_slug();
    make_organization(database.owner(), slug);
    auth_api_harness const service(database.auth_url());
    for (int round = 0; round < 5; ++round) {
        auto const secret = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"}).secret;
        std::atomic<bool> revoked{false};
        std::atomic<bool> stop{false};
        std::atomic<int> before{0};
        std::atomic<int> wrong{0};
        std::vector<std::thread> clients;
        for (int i = 0; i < 4; ++i)
            clients.emplace_back([&] {
                while (!stop) {
                    bool const began_after = revoked;
                    auto const status = service.get("/me", secret).status;
                    if (began_after && status != 401) ++wrong;
                    if (!began_after && status == 200) ++before;
                }
            });
        while (before < 20) std::this_thread::yield();
        database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE revoked_at IS NULL");
        revoked = true;
        for (int i = 0; i < 10; ++i) static_cast<void>(service.get("/me", secret));
        stop = true;
        for (auto& client : clients) client.join();
        REQUIRE(wrong == 0);
    }
}

TEST_CASE("a demotion narrows the key at once, a promotion widens it again", "[auth_api][live]") {
    test_database database;
    auto const slug = new_slug();
    make_organization(database.owner(), slug);
    auto const email = "second@" + slug + ".example";
    make_member(database.owner(), slug, email, role::admin);
    auto const secret = make_key(database.owner(), slug, email, {"*"}).secret;
    auth_api_harness const service(database.auth_url());
    auto const set_role = [&](std::string const& name) {
        database.owner().run("UPDATE recruiting.memberships m SET role = $1 FROM recruiting.users u "
                             "WHERE u.id = m.user_id AND u.email = $2",
                             pg::params{}.text(name).text(email));
    };
    REQUIRE(service.get("/billing", secret).status == 200);
    set_role("recruiter");
    REQUIRE(service.get("/billing", secret).status == 403);
    REQUIRE(service.get("/candidates", secret).status == 200);
    set_role("viewer");
    REQUIRE(service.get("/candidates", secret).status == 403);
    REQUIRE(service.get("/jobs", secret).status == 200);
    set_role("admin");
    REQUIRE(service.get("/billing", secret).status == 200);
}

} // namespace live_test
