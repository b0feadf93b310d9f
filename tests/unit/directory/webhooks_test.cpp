// Which receivers webhooks may have, and what is sent to them.
#include "directory/receivers.hpp"
#include "directory/webhook_message.hpp"
#include "support/catch.hpp"

namespace webhooks_test {
using namespace recruiting;
using namespace recruiting::directory;

TEST_CASE("only addresses of the Internet are global", "[directory]") {
    for (auto const* text :
         {"1.1.1.1", "93.184.216.34", "192.0.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
          "223.255.255.255", "2606:4700::1111", "2a00::1", "64:ff9b::101:101", "::ffff:1.1.1.1"}) {
        CAPTURE(text);
        CHECK(is_global_unicast(parse_ip(text).value()));
    }
    for (auto const* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "100.64.0.1",
                             "100.100.100.200",
                             "127.0.0.1",
                             "127.255.255.255",
                             "168.63.129.16",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.192",
                             "192.0.2.1",
                             "192.168.1.1",
                             "198.18.0.1",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::7f00:1",
                             "::ffff:10.0.0.1",
                             "::ffff:127.0.0.1",
                             "64:ff9b::a00:1",
                             "64:ff9b::7f00:1",
                             "64:ff9b:1::a00:1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "3fff::1",
                             "fc00::1",
                             "fd00:ec2::254",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1",
                             "4000::1"}) {
        CAPTURE(text);
        CHECK_FALSE(is_global_unicast(parse_ip(text).value()));
    }
}

TEST_CASE("a receiver has an https URL and leads to no private network", "[directory]") {
    receiver_rules const usual;
    for (auto const* url : {"https://hooks.example.com/in?team=1", "https://example.com", "https://example.com.:8443/",
                            "https://example.com:443/", "https://1.1.1.1/", "https://[2606:4700::1111]/x",
                            "https://localhost.example.com/", "https://xn--bcher-kva.example/"}) {
        CAPTURE(url);
        CHECK_FALSE(wrong_receiver(url, usual).has_value());
    }
    for (auto const* url : {"",
                            "https://",
                            "http://example.com/",
                            "HTTPS://example.com/",
                            "ftp://example.com/",
                            "https://u:p@example.com/",
                            "https://example.com/#x",
                            "https://example.com:22/",
                            "https://example.com:0/",
                            "https://example.com:x/",
                            "https://example.com:443x/",
                            "https://example.com:/",
                            "https://b\xc3\xbc"
                            "cher.example/",
                            "https://a b.example/",
                            "https://127.0.0.1/",
                            "https://127.0.0.1./",
                            "https://127.1/",
                            "https://2130706433/",
                            "https://0x7f000001/",
                            "https://0x7f.1/",
                            "https://0177.0.0.1/",
                            "https://10.0.0.1/",
                            "https://1.2.3.4.5/",
                            "https://[::1]/",
                            "https://[::ffff:10.0.0.1]/",
                            "https://[64:ff9b::a00:1]/",
                            "https://[fd00:ec2::254]/",
                            "https://[::1/",
                            "https://[1.1.1.1]/",
                            "https://[]/",
                            "https://localhost/",
                            "https://LOCALHOST./",
                            "https://a.localhost/",
                            "https://169.254.169.254/latest/meta-data",
                            "https://%31%30.0.0.1/",
                            "https://./",
                            "https://example.com\\@x/",
                            "https:///x",
                            "https://2130706433./"}) {
        CAPTURE(url);
        CHECK(wrong_receiver(url, usual).has_value());
    }
    CHECK(wrong_receiver("https://example.com/" + std::string(2'000, 'a'), usual).has_value());
}

TEST_CASE("an operator opens ports, networks and http", "[directory]") {
    receiver_rules rules;
    rules.ports = {};
    CHECK_FALSE(wrong_receiver("https://example.com:22/", rules).has_value());
    rules.networks = {parse_network("10.1.0.0/16").value()};
    CHECK_FALSE(wrong_receiver("https://10.1.2.3/", rules).has_value());
    CHECK(wrong_receiver("https://10.2.2.3/", rules).has_value());
    CHECK(wrong_receiver("https://localhost/", rules).has_value());
    CHECK(wrong_receiver("http://10.1.2.3/", rules).has_value());
    rules.http = true;
    CHECK_FALSE(wrong_receiver("http://10.1.2.3/", rules).has_value());

    receiver_rules read;
    settings_reader reader("test", "", "RECRUITING_WEBHOOK_");
    declare(reader, read);
    CHECK(reader.apply({{"RECRUITING_WEBHOOK_PORTS", "443, 9000"}, {"RECRUITING_WEBHOOK_NETWORKS", "10.0.0.0/8"}})
              .empty());
    CHECK(read.ports == std::vector<std::uint16_t>{443, 9000});
    CHECK(read.allow(parse_ip("10.9.9.9").value()));
    CHECK(reader.apply({{"RECRUITING_WEBHOOK_PORTS", "any"}}).empty());
    CHECK(read.ports.empty());
    for (auto const* wrong : {"0", "443,", "65536", "all"})
        CHECK(reader.apply({{"RECRUITING_WEBHOOK_PORTS", wrong}}).size() == 1);
}

TEST_CASE("a message says that and where, and nothing else", "[directory]") {
    webhook_message what;
    what.id = parse_id("0199c1a05a907b44b9e1d3f5a7c80246").value();
    what.organization_id = parse_id("0199c1a05a907b44b9e1d3f5a7c80247").value();
    what.created_at = parse_time("2026-11-28T23:41:05.123Z").value();
    auto const subject = parse_id("0199c1a05a907b44b9e1d3f5a7c80248").value();
    auto const data = [&](std::string const& type) {
        what.type = type;
        auto const body = body_of(what);
        auto const head = R"({"type":")" + type +
                          R"(","timestamp":"2026-11-28T23:41:05.123Z","data":{"organizationId":)"
                          R"("0199c1a05a907b44b9e1d3f5a7c80247",)";
        REQUIRE(body.starts_with(head));
        return body.substr(head.size());
    };
    CHECK(data("candidates.changed") == R"("resource":"candidates","fetch":"/api/v1/candidates?syncToken="}})");
    CHECK(data("jobs.changed") == R"("resource":"jobs","fetch":"/api/v1/jobs?syncToken="}})");
    CHECK(data("members.changed") == R"("resource":"members","fetch":"/api/v1/members?syncToken="}})");
    CHECK(data("interviews.changed") == R"("resource":"interviews","fetch":"/api/v1/candidates?syncToken="}})");
    CHECK(data("pipeline.changed") == R"("resource":"pipeline","fetch":"/api/v1/jobs?syncToken="}})");
    CHECK(data("webhook.test") == R"("resource":"test","fetch":"/api/v1/organization"}})");
    what.since = parse_time("2026-11-28T23:41:00.000Z").value();
    CHECK(data("audit.changed") ==
          R"("resource":"audit","fetch":"/api/v1/audit?occurredAfter=2026-11-28T23%3A41%3A00.000Z&order=asc"}})");
    what.subject = subject;
    CHECK(data("pipeline.changed") == R"("resource":"pipeline","jobId":"0199c1a05a907b44b9e1d3f5a7c80248",)"
                                      R"("fetch":"/api/v1/pipeline?jobId=0199c1a05a907b44b9e1d3f5a7c80248"}})");
    what.run = subject;
    CHECK(data("agent_runs.completed") == R"("resource":"agent_runs","sessionId":"0199c1a05a907b44b9e1d3f5a7c80248",)"
                                          R"("correlationId":"0199c1a0-5a90-7b44-b9e1-d3f5a7c80248",)"
                                          R"("fetch":"/api/v1/agent/sessions/0199c1a05a907b44b9e1d3f5a7c80248"}})");
}

TEST_CASE("a message has a signature of each secret", "[directory]") {
    webhook_message what;
    what.id = parse_id("0199c1a05a907b44b9e1d3f5a7c80246").value();
    auto const at = parse_time("2021-02-25T15:02:10Z").value();
    auto const headers = signed_headers(what, at, R"({"test": 2432232314})", {"first", "second"});
    REQUIRE(headers.size() == 3);
    CHECK(headers[0] == "webhook-id: msg_0199c1a05a907b44b9e1d3f5a7c80246");
    CHECK(headers[1] == "webhook-timestamp: 1614265330");
    CHECK(headers[2] == "webhook-signature: v1,1TpuZTcN8iJgCGUUXAXC2iW6j3C/4F80NuUgSSJ3588= "
                        "v1,d4XRrY7YqVV/2419zD6kSwSEVFB6F+NwaSRUs+2xNQg=");
}

} // namespace webhooks_test
