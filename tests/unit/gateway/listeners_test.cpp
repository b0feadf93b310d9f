// What the gateway listens on, as settings; and the answers of the listener that only redirects.
#include "gateway/answers/answer.hpp"
#include "gateway/settings.hpp"
#include "support/catch.hpp"

#include <map>

namespace listeners_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

using values = std::map<std::string, std::string>;

std::vector<std::string> problems_of(values const& given, listener_settings& out, bool with_proxies = false) {
    std::vector<ip_network> trusted;
    if (with_proxies) trusted.push_back(*parse_network("10.0.0.0/8"));
    settings_reader reader("recruiting-gateway", "", "RECRUITING_GATEWAY_");
    declare_listeners(reader, out, trusted);
    values named;
    for (auto const& [name, value] : given) named.emplace("RECRUITING_GATEWAY_" + name, value);
    return reader.apply(named);
}

listener_settings read(values const& given, bool with_proxies = false) {
    listener_settings out;
    auto const problems = problems_of(given, out, with_proxies);
    INFO((problems.empty() ? std::string() : problems.front()));
    CHECK(problems.empty());
    return out;
}

std::string problem_of(values const& given, bool with_proxies = false) {
    listener_settings out;
    auto const problems = problems_of(given, out, with_proxies);
    return problems.empty() ? "" : problems.front();
}

bool serves(std::string_view host) { return host == "jobs.test" || host == "[::1]"; }

// The answer's Location, or the error's code.
std::string redirected(std::string const& line, std::string const& fields, std::uint16_t port = 443) {
    client_request x;
    x.head_text = line + "\r\n" + fields + "\r\n";
    auto refused = read_request(x);
    if (!refused) refused = check_redirect(x, serves);
    if (refused) return std::string(to_string(refused->error.code));
    std::string out;
    append_redirect(out, x, port);
    CHECK(out.starts_with("HTTP/1.1 308 Permanent Redirect\r\n"));
    CHECK(out.ends_with("\r\n\r\n"));
    auto const at = out.find("Location: ") + 10;
    return out.substr(at, out.find("\r\n", at) - at);
}

} // namespace

TEST_CASE("listeners: plain alone, unless told", "[gateway][listeners]") {
    auto const plain = read({}).all();
    REQUIRE(plain.size() == 1);
    CHECK(to_string(plain[0].where) == "127.0.0.1:8080");
    CHECK_FALSE(plain[0].kind.tls);

    auto const three = read({{"LISTEN", "127.0.0.1:1"},
                             {"TLS_LISTEN", "127.0.0.1:2"},
                             {"TLS_CERTIFICATES", "a.pem:a.key, b.pem:b.key"},
                             {"REDIRECT_LISTEN", "127.0.0.1:3"},
                             {"PROXY_PROTOCOL", "v1"}},
                            true);
    CHECK(three.server.certificates == std::vector<tls_files>{{"a.pem", "a.key"}, {"b.pem", "b.key"}});
    CHECK(three.public_tls_port() == 2);
    auto const all = three.all();
    REQUIRE(all.size() == 3);
    CHECK(all[1].kind.tls);
    CHECK(all[2].kind.redirects);
    for (auto const& one : all) CHECK(one.kind.proxy == proxy_protocol::v1);

    CHECK(read({{"LISTEN", ""}, {"TLS_LISTEN", "[::1]:2"}, {"TLS_CERTIFICATES", "a:b"}}).all().size() == 1);
}

TEST_CASE("listeners that can't work together are told", "[gateway][listeners]") {
    CHECK(problem_of({{"LISTEN", ""}}).find("both empty") != std::string::npos);
    CHECK(problem_of({{"TLS_LISTEN", "127.0.0.1:2"}}).find("TLS_CERTIFICATES") != std::string::npos);
    CHECK(problem_of({{"REDIRECT_LISTEN", "127.0.0.1:2"}}).find("needs RECRUITING_GATEWAY_TLS_LISTEN") !=
          std::string::npos);
    CHECK(problem_of({{"PROXY_PROTOCOL", "v2"}}).find("TRUSTED_PROXIES") != std::string::npos);
    CHECK(problem_of({{"PROXY_PROTOCOL", "v2"}}, true).empty());
    CHECK(problem_of({{"PROXY_PROTOCOL", "v3"}}, true) ==
          "RECRUITING_GATEWAY_PROXY_PROTOCOL must be one of off,v1,v2,any");
    CHECK(problem_of({{"TLS_LISTEN", "nowhere"}}).find("or empty") != std::string::npos);
    CHECK(problem_of({{"TLS_MIN_VERSION", "1.1"}}) == "RECRUITING_GATEWAY_TLS_MIN_VERSION must be 1.2 or 1.3");
    for (std::string const files : {"a.pem", "a.pem:", ":a.key", "a:b:c", "a:b,c"})
        CHECK(problem_of({{"TLS_CERTIFICATES", files}}).find("must be CHAIN.pem:KEY.pem") != std::string::npos);
    values on_socket{{"TLS_LISTEN", "unix:/s"}, {"TLS_CERTIFICATES", "a:b"}, {"REDIRECT_LISTEN", "127.0.0.1:3"}};
    CHECK(problem_of(on_socket).find("REDIRECT_PORT") != std::string::npos);
    on_socket.emplace("REDIRECT_PORT", "443");
    CHECK(problem_of(on_socket).empty());
}

TEST_CASE("HSTS is a field line of its settings", "[gateway][listeners]") {
    CHECK(read({}).hsts_line().empty());
    CHECK(read({{"HSTS", "31536000"}}).hsts_line() == "Strict-Transport-Security: max-age=31536000\r\n");
    CHECK(read({{"HSTS", "60; includeSubDomains"}}).hsts_line() ==
          "Strict-Transport-Security: max-age=60; includeSubDomains\r\n");
    CHECK(read({{"HSTS", "0; includeSubDomains"}}).hsts_line().empty());
    for (std::string const bad : {"", "-1", "1d", "60;", "60; preload", "; includeSubDomains"}) {
        INFO(bad);
        CHECK(problem_of({{"HSTS", bad}}).find("must be seconds") != std::string::npos);
    }
}

TEST_CASE("redirects lead to the same resource with TLS", "[gateway][listeners]") {
    CHECK(redirected("GET /a?b=c HTTP/1.1", "Host: jobs.test\r\n") == "https://jobs.test/a?b=c");
    CHECK(redirected("GET /a HTTP/1.1", "Host: jobs.test:80\r\n", 8443) == "https://jobs.test:8443/a");
    CHECK(redirected("GET / HTTP/1.1", "Host: [::1]:80\r\n") == "https://[::1]/");
    CHECK(redirected("POST //evil.test/%2e/x HTTP/1.1", "Host: jobs.test\r\nContent-Length: 0\r\n") ==
          "https://jobs.test/evil.test/x/");
    CHECK(redirected("GET http://jobs.test/a HTTP/1.1", "Host: jobs.test\r\n") == "https://jobs.test/a");
    CHECK(redirected("GET /a HTTP/1.0", "Host: jobs.test\r\n") == "https://jobs.test/a");
}

TEST_CASE("redirects lead nowhere else", "[gateway][listeners]") {
    CHECK(redirected("GET / HTTP/1.1", "Host: evil.test\r\n") == "invalid_request");
    CHECK(redirected("GET / HTTP/1.1", "") == "invalid_request");
    CHECK(redirected("GET / HTTP/1.0", "") == "invalid_request");
    CHECK(redirected("GET / HTTP/1.1", "Host: jobs.test\r\nHost: evil.test\r\n") == "invalid_request");
    CHECK(redirected("GET / HTTP/1.1", "Host: jobs.test@evil.test\r\n") == "invalid_request");
    CHECK(redirected("GET / HTTP/1.1", "Host: jobs.test, evil.test\r\n") == "invalid_request");
    CHECK(redirected("GET http://evil.test/ HTTP/1.1", "Host: jobs.test\r\n") == "invalid_request");
    CHECK(redirected("GET /\\evil.test HTTP/1.1", "Host: jobs.test\r\n") == "invalid_request");
    CHECK(redirected("OPTIONS * HTTP/1.1", "Host: jobs.test\r\n") == "not_found");
    CHECK(redirected("TRACE / HTTP/1.1", "Host: jobs.test\r\n") == "method_not_allowed");
}

} // namespace listeners_test
