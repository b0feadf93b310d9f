// Which hosts a connection attempt tries, and which servers' line of history it follows.
#include "pg/servers.hpp"
#include "support/catch.hpp"

namespace servers_test {
using namespace recruiting;
using namespace recruiting::pg;
using namespace std::chrono_literals;

namespace {

using indices = std::vector<std::size_t>;
coarse_clock::time_point const start{std::chrono::hours{1}};

} // namespace

TEST_CASE("hosts, ports and addresses of a connection string go together", "[pg][servers]") {
    known_servers urls;
    urls.read("postgresql://service:secret@a:5433,b:5434/recruiting?connect_timeout=3&target_session_attrs=read-write");
    CHECK(urls.to_try(start) == indices{0, 1});
    CHECK(urls.at(0).name == "a");
    CHECK(urls.at(1).name == "b");
    CHECK(urls.at(1).port == "5434");
    CHECK(urls.connect_timeout() == 3s);
    CHECK(urls.session_attributes() == std::vector<std::string>{"read-write"});

    known_servers words;
    words.read("host=a,b hostaddr=192.0.2.1,192.0.2.2 port=6432 dbname=recruiting");
    CHECK(words.at(1).address == "192.0.2.2");
    CHECK(words.at(1).port == "6432");
    CHECK_FALSE(words.connect_timeout());

    known_servers bare; // libpq reads this as the ports ","
    bare.read("postgresql://service@a,b/recruiting");
    CHECK(bare.at(0).port == "5432");
    CHECK(bare.at(1).port == "5432");
    known_servers some;
    some.read("postgresql://service@a:5433,b/recruiting");
    CHECK(some.at(0).port == "5433");
    CHECK(some.at(1).port == "5432");
}

TEST_CASE("a connection string without hosts, or one that libpq refuses, is one host left to libpq", "[pg][servers]") {
    for (auto const* url : {"dbname=recruiting", "postgresql://", "not = a = string", ""}) {
        INFO(url);
        known_servers servers;
        servers.read(url);
        REQUIRE(servers.to_try(start) == indices{0});
        CHECK(servers.at(0).name.empty());
        CHECK(servers.at(0).port.empty());
        CHECK(servers.session_attributes() == std::vector<std::string>{""});
    }
}

TEST_CASE("prefer-standby goes through all hosts for a standby first", "[pg][servers]") {
    known_servers servers;
    servers.read("host=a,b target_session_attrs=prefer-standby");
    CHECK(servers.session_attributes() == std::vector<std::string>{"standby", "any"});
}

TEST_CASE("a silent host is left to one connection a second, after all others, until it answers", "[pg][servers]") {
    known_servers servers;
    servers.read("host=a,b");
    servers.silent(0, start);
    CHECK(servers.to_try(start) == indices{1});
    CHECK(servers.to_try(start + 999ms) == indices{1});
    CHECK(servers.to_try(start + 1s) == indices{1, 0});
    CHECK(servers.to_try(start + 1s) == indices{1}); // somebody looks already
    CHECK(servers.to_try(start + 2s) == indices{1, 0});
    servers.answered(0);
    CHECK(servers.to_try(start + 2s) == indices{0, 1});
}

TEST_CASE("the only host is not crowded either while it is silent", "[pg][servers]") {
    known_servers servers;
    servers.read("host=a");
    servers.silent(0, start);
    CHECK(servers.to_try(start).empty());
    CHECK(servers.to_try(start + 1s) == indices{0});
    CHECK(servers.to_try(start + 1s).empty());
}

TEST_CASE("two silences after one has heard from a server are enough to give it up", "[pg][servers]") {
    known_servers servers;
    servers.read("host=a,b");
    CHECK_FALSE(servers.silent_since(0, start));
    servers.silent(0, start + 1s);
    CHECK_FALSE(servers.silent_since(0, start));
    servers.silent(0, start + 2s);
    CHECK(servers.silent_since(0, start));
    CHECK_FALSE(servers.silent_since(0, start + 1500ms)); // heard from it since the first
    CHECK_FALSE(servers.silent_since(1, start));
}

TEST_CASE("neither another system nor an older timeline is followed", "[pg][servers]") {
    known_servers servers;
    servers.read("host=a,b");
    CHECK(servers.refuse({"7001", 2}).empty());
    CHECK(servers.refuse({"7001", 2}).empty());
    CHECK(servers.refuse({"7001", 1}).find("older timeline 1, 2 was seen") != std::string::npos);
    CHECK(servers.refuse({"7001", 3}).empty());
    CHECK_FALSE(servers.refuse({"7001", 2}).empty());
    CHECK(servers.refuse({"7002", 9}).find("another system") != std::string::npos);
    CHECK(servers.refuse({"7001", 3}).empty());
    CHECK(servers.refuse({"", 0}).empty()); // PostgreSQL keeps it from the role
}

} // namespace servers_test
