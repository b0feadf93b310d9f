// Redis without I/O: addresses, commands out, replies in.
#include "redis/address.hpp"
#include "redis/protocol.hpp"
#include "redis/sentinels.hpp"
#include "redis/settings.hpp"
#include "support/catch.hpp"

namespace protocol_test {
using namespace recruiting;
using namespace recruiting::redis;

TEST_CASE("addresses of Redis", "[redis]") {
    CHECK(parse_address("redis://127.0.0.1:6380") == address{{"127.0.0.1", 6380, {}}, {}, 0});
    CHECK(parse_address("redis://localhost") == address{{"localhost", 6379, {}}, {}, 0});
    CHECK(parse_address("redis://localhost/") == address{{"localhost", 6379, {}}, {}, 0});
    CHECK(parse_address("redis://[::1]:1/3") == address{{"::1", 1, {}}, {}, 3});
    CHECK(parse_address("redis://[::1]") == address{{"::1", 6379, {}}, {}, 0});
    CHECK(parse_address("redis://me:p%40ss@h:1") == address{{"h", 1, {}}, {"me", "p@ss"}, 0});
    CHECK(parse_address("redis://:pw@h") == address{{"h", 6379, {}}, {"", "pw"}, 0});
    CHECK(parse_address("unix:///run/redis.sock?db=2") == address{{"", 0, "/run/redis.sock"}, {}, 2});
    CHECK(parse_address("unix:/run/redis.sock") == address{{"", 0, "/run/redis.sock"}, {}, 0});
    for (std::string const url : {"", "redis://", "rediss://", "h:6379", "redis://h:99999", "redis://h/x",
                                  "redis://h/-1", "unix:relative", "unix:///s?x=1", "redis://a%zz@h"}) {
        INFO(url);
        CHECK_FALSE(parse_address(url));
    }
    CHECK(to_string(*parse_address("redis://me:secret@h:1/2")) == "h:1/2");
    auto const over_tls = parse_address("rediss://me:pw@h/2");
    REQUIRE(over_tls);
    CHECK(over_tls->is_encrypted);
    CHECK_FALSE(over_tls->tls.offers_http);
    CHECK(over_tls->where == endpoint{"h", 6379, {}});
    CHECK(over_tls->as == login{"me", "pw"});
    CHECK_FALSE(parse_address("redis://h")->is_encrypted);
}

TEST_CASE("the address of Redis and its TLS files are read in any order, and files without TLS are refused",
          "[redis]") {
    std::map<std::string, std::string> const values{{"RECRUITING_REDIS_CA_FILE", "/etc/ssl/certs/ca-certificates.crt"},
                                                    {"RECRUITING_REDIS_URL", "rediss://:geheim@h"}};
    auto const problems = [&values](std::string const& name, std::string const& value) {
        address read;
        settings_reader reader("sample", "", "RECRUITING_SAMPLE_");
        declare_url(reader, "RECRUITING_REDIS_URL", "", read, "");
        declare_tls(reader, read.tls, [&read] { return read; });
        auto all = values;
        all.insert_or_assign(name, value);
        auto out = reader.apply(all);
        if (out.empty()) CHECK(read.tls.ca_file == values.at("RECRUITING_REDIS_CA_FILE"));
        return out.empty() ? std::string() : out.front();
    };
    CHECK(problems("RECRUITING_REDIS_URL", "rediss://h").empty());
    CHECK(problems("RECRUITING_REDIS_URL", "redis://:geheim@h").find("rediss://") != std::string::npos);
    CHECK(problems("RECRUITING_REDIS_CERTIFICATE", "/only-one").find("CHAIN.pem:KEY.pem") != std::string::npos);
    CHECK(problems("RECRUITING_REDIS_CERTIFICATE", "/none.pem:/none.key") ==
          "can't use the certificate chain /none.pem: No such file or directory");
}

TEST_CASE("commands are written as RESP", "[redis]") {
    batch commands;
    CHECK(commands.empty());
    commands.add({"INCRBY", "k", "2"});
    commands.add({"GET", ""});
    CHECK(commands.size() == 2);
    CHECK(commands.bytes() == "*3\r\n$6\r\nINCRBY\r\n$1\r\nk\r\n$1\r\n2\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n");
}

TEST_CASE("replies are read however they are cut", "[redis]") {
    std::string const bytes = ":42\r\n+OK\r\n-ERR no\r\n$2\r\nhi\r\n$-1\r\n*2\r\n:1\r\n$1\r\na\r\n";
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        reply_reader reader;
        std::vector<reply> replies;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.feed(std::string_view(bytes).substr(at, piece));
            for (auto next = reader.next(); next; next = reader.next()) replies.push_back(std::move(*next));
        }
        REQUIRE(replies.size() == 6);
        CHECK(replies[0].integer == 42);
        CHECK(replies[1].text == "OK");
        CHECK(replies[2].is_error());
        CHECK(replies[2].text == "ERR no");
        CHECK(replies[3].text == "hi");
        CHECK(replies[4].type == reply::kind::nil);
        REQUIRE(replies[5].elements.size() == 2);
        CHECK(replies[5].elements[1].text == "a");
    }
}

TEST_CASE("what is not RESP is told", "[redis]") {
    reply_reader reader;
    reader.feed("HTTP/1.1 400\r\n");
    CHECK_THROWS_AS(reader.next(), protocol_error);
}

TEST_CASE("lists of Sentinels", "[redis]") {
    auto const plain = parse_address("sentinel://a,b:1,[::1]:2/main");
    REQUIRE(plain);
    CHECK(plain->sentinels == std::vector<endpoint>{{"a", 26379, {}}, {"b", 1, {}}, {"::1", 2, {}}});
    CHECK(plain->service == "main");
    CHECK(plain->database == 0);
    CHECK(to_string(*plain) == "sentinel main@a:26379,b:1,[::1]:2");

    auto const full = parse_address("sentinel://me:p%40ss@a/main/3?sentinel_user=s&sentinel_password=%26secret");
    REQUIRE(full);
    CHECK(full->as == login{"me", "p@ss"});
    CHECK(full->at_sentinels == login{"s", "&secret"});
    CHECK(full->database == 3);
    CHECK(to_string(*full) == "sentinel main@a:26379/3"); // no secret
    CHECK(parse_address("sentinel://pw@a/main")->as == login{"", "pw"});
    CHECK_FALSE(plain->is_encrypted);
    CHECK(parse_address("sentinels://a/main")->is_encrypted);
    CHECK(parse_address("sentinels://a/main")->sentinels == std::vector<endpoint>{{"a", 26379, {}}});
    for (std::string const url :
         {"sentinel://", "sentinel://a", "sentinel://a/", "sentinel:///main", "sentinel://a,/main",
          "sentinel://a:x/main", "sentinel://a/main/x", "sentinel://a/main?password=x",
          "sentinel://a/main?sentinel_password", "sentinel://unix:/s/main"}) {
        INFO(url);
        CHECK_FALSE(parse_address(url));
    }
}

TEST_CASE("what Sentinels and masters say of themselves", "[redis]") {
    auto const read = [](std::string_view bytes) {
        reply_reader reader;
        reader.feed(bytes);
        return *reader.next();
    };
    CHECK(read_master(read("*2\r\n$9\r\n127.0.0.1\r\n$4\r\n6380\r\n")) == endpoint{"127.0.0.1", 6380, {}});
    for (std::string const bytes : {"*-1\r\n", "-NOAUTH no\r\n", "*1\r\n$1\r\na\r\n", "*2\r\n$1\r\na\r\n$1\r\nx\r\n",
                                    "*2\r\n$0\r\n\r\n$1\r\n1\r\n", "*2\r\n$1\r\na\r\n$1\r\n0\r\n"})
        CHECK_FALSE(read_master(read(bytes)));
    CHECK(is_master(read("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n")));
    CHECK_FALSE(is_master(read("*2\r\n$5\r\nslave\r\n$1\r\na\r\n")));
    CHECK_FALSE(is_master(read("-NOPERM no\r\n")));
}

} // namespace protocol_test
