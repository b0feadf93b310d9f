#include "auth_api/settings.hpp"
#include "pg/client.hpp"
#include "pg/url.hpp"
#include "support/catch.hpp"

#include <random>

namespace url_test {
using namespace recruiting;

namespace {

std::string problem(std::string const& url) { return pg::url_problem(url).value_or(""); }

constexpr std::array<std::string_view, 4> secret_parts = {"Pq7wXz", "Rt4vKm", "Jh9cLd", "Vn2sGf"};

bool shows_secret(std::string_view text) {
    return std::any_of(secret_parts.begin(), secret_parts.end(),
                       [&](std::string_view part) { return text.find(part) != text.npos; });
}

// A password of parts, with odd characters between them, in a place where one can stand or is put by mistake.
std::string odd_url(std::mt19937& random) {
    constexpr std::string_view odd = "@/?#:%&=[]{}' \\,;+*\"<>|^`~!$()-_.\t\n";
    auto const pick = [&](auto const& from) { return from[random() % from.size()]; };
    std::string secret;
    for (auto const part : secret_parts) {
        if (!secret.empty()) secret += pick(odd);
        secret += part;
        if (random() % 4 == 0) secret += pick(odd);
    }
    // Without a host, what follows an @ of the password is one: nothing tells it from a name.
    std::string const before_host = secret.find('@') == secret.npos ? "" : "127.0.0.1:1/";
    std::array<std::string, 14> const forms = {
        "postgresql://u:" + secret + "@127.0.0.1:1/db",
        "postgres://u:" + secret + "@127.0.0.1:1",
        "postgresql://" + before_host + "u:" + secret,
        "postgresql://" + before_host + "u:" + secret + "/db",
        "postgresql://127.0.0.1:1/db?user=u&password=" + secret,
        "postgresql://127.0.0.1:1/db?sslmode=require:" + secret,
        "postgresql://127.0.0.1:1/db?connect_timeout=" + secret,
        "postgresql://" + before_host + "127.0.0.1:" + secret + "/db",
        "postgres//u:" + secret + "@127.0.0.1:1/db",
        "Postgresql://u:" + secret + "@127.0.0.1:1/db",
        "host=127.0.0.1 port=1 user=u password=" + secret,
        "host=127.0.0.1 user=u password='" + secret + "' port=1",
        "host=127.0.0.1 port=" + secret,
        secret,
    };
    return pick(forms);
}

} // namespace

TEST_CASE("connection strings that PostgreSQL's library takes are right", "[pg][settings]") {
    for (auto const* url : {"postgresql://recruiting_auth@127.0.0.1:5432/recruiting", "postgres://u:p%40ss@[::1]/db",
                            "postgresql://u:p@a:1,b:2/db?target_session_attrs=read-write&connect_timeout=3",
                            "host=/run/postgresql dbname=recruiting user=u password='a b' sslmode=verify-full",
                            "postgresql:///db?host=/run/postgresql&sslrootcert=system", "postgresql://u@a,b/db",
                            "postgresql://u:p@h/db?application_name=a@b", "postgresql://u@/db?host=@socket",
                            "host=h password=a://b/c@d", "postgresql://u:p?q#r@h/db"}) {
        INFO(url);
        CHECK(problem(url).empty());
    }
}

TEST_CASE("connection strings that can't work are refused in words", "[pg][settings]") {
    CHECK(problem("") == "it is empty");
    CHECK(problem("recruiting") == "PostgreSQL does not accept it");
    CHECK(problem("postgresql://u:a/b@h/db") == "percent-encode / ? # @ in the user's name and password");
    CHECK(problem("postgresql://u:a@b@h/db") == "percent-encode / ? # @ in the user's name and password");
    CHECK(problem("postgresql://h/db?passfile=/none") == "its passfile: can't read /none: No such file or directory");
    CHECK(problem("postgresql://u:secret") == "its port is not a number from 1 to 65535");
    CHECK(problem("postgresql://h:70000/db") == "its port is not a number from 1 to 65535");
    CHECK(problem("postgresql://u:p@h*/db") == "its host is not a name, an address or a folder");
    CHECK(problem("postgresql://h/db?sslmode=on") == "its sslmode is not a value that PostgreSQL accepts");
    CHECK(problem("postgresql://h/db?connect_timeout=soon") == "its connect_timeout is not a number");
    CHECK(problem("postgresql://h/db?sslrootcert=/") == "its sslrootcert: can't read /: it is a folder");
    CHECK(problem("postgresql://h/db?sslrootcert=/none.pem") ==
          "its sslrootcert: can't read /none.pem: No such file or directory");
}

TEST_CASE("no part of a URL's password reaches a message, however odd the URL is", "[pg][settings]") {
    std::mt19937 random(20261122);
    auth_api::settings config;
    settings_reader reader("recruiting-auth-api", "", "RECRUITING_AUTH_API_");
    auth_api::declare(reader, config);
    int refused = 0;
    for (int i = 0; i < 3'000; ++i) {
        auto const url = odd_url(random);
        for (auto const& told : reader.apply({{"RECRUITING_AUTH_API_DATABASE_URL", url},
                                              {"RECRUITING_MAIL_URL", url},
                                              {"RECRUITING_TRACE_ENDPOINT", url},
                                              {"RECRUITING_AGENT_MODEL_BASE_URL", url}}))
            if (shows_secret(told)) FAIL(url << " is shown in: " << told);
        try {
            pg::client const connected(url);
        } catch (pg::connection_lost const& error) {
            if (shows_secret(error.what())) FAIL(url << " is shown in: " << error.what());
        } catch (std::invalid_argument const& error) {
            ++refused;
            if (shows_secret(error.what())) FAIL(url << " is shown in: " << error.what());
        }
    }
    CHECK(refused > 0);
    CHECK(refused < 3'000);
}

} // namespace url_test
