// The owner's role and the key's state are read live (proto-docs/keys.md): what happened before a request began is seen
// by it, whatever runs beside it.
#include "integration/auth_api/harness.hpp"
#include "integration/auth_api/sync_recruiting.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <atomic>
#include <boost/json.hpp>
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

// A list has one statement for who sees all and one for who sees what their jobs reach, and only the one is sent that
// the key's role asked for when it was last seen.
TEST_CASE("a list has the records of the role as it is now, whatever it was before", "[auth_api][live]") {
    sync_recruiting f(1, 3);
    f.add_member("mika", role::admin);
    f.apply(1, 0);
    f.join("mika", 0);
    auto const secret = f.key("mika");
    auth_api_harness const service(f.database.auth_url());
    auto const listed = [&] {
        auto const answer = service.get("/candidates?sort=createdAt", secret);
        REQUIRE(answer.status == 200);
        auto const body = boost::json::parse(answer.body);
        std::string names;
        for (auto const& one : body.at("data").as_array()) names += one.at("externalId").as_string();
        return names;
    };
    auto const set_role = [&](std::string const& name) {
        f.run("UPDATE recruiting.memberships m SET role = '" + name +
              "' FROM recruiting.users u WHERE u.id = m.user_id AND m.email = '" + f.email("mika") + "'");
    };
    for (auto const* sees_all : {"admin", "recruiter"}) {
        set_role(sees_all);
        CHECK(listed() == "C0C1C2");
        set_role("hiring_manager");
        CHECK(listed() == "C1");
        CHECK(listed() == "C1"); // by the statement of the known role alone
    }
}

} // namespace live_test
