// What a proxy says of its client, in both versions: one spelling is read, all others refused.
#include "gateway/http1/proxy_protocol.hpp"
#include "support/catch.hpp"

#include <string>

namespace proxy_protocol_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

using progress = proxy_header::progress;

std::string const signature{"\r\n\r\n\0\r\nQUIT\n", 12};

std::string v2(unsigned command, unsigned family, std::string const& rest) {
    return signature + static_cast<char>(command) + static_cast<char>(family) + static_cast<char>(rest.size() / 256) +
           static_cast<char>(rest.size() % 256) + rest;
}

std::string read(std::string const& bytes, proxy_protocol accepted = proxy_protocol::any) {
    auto const header = parse_proxy_header(bytes, accepted);
    switch (header.state) {
    case progress::incomplete: return "incomplete";
    case progress::malformed: return "malformed";
    case progress::complete: break;
    }
    return (header.client ? to_string(*header.client) : "nobody") + " " + std::to_string(header.size);
}

std::string const four{"\xc6\x33\x64\x07\xcb\x00\x71\x01\x12\x34\x01\xbb", 12};
std::string const six =
    std::string("\x20\x01\x0d\xb8", 4) + std::string(11, '\0') + "\x09" + std::string(16, '\0') + "\x12\x34\x01\xbb";

} // namespace

TEST_CASE("PROXY protocol version 1 is read", "[gateway][proxy]") {
    CHECK(read("PROXY TCP4 198.51.100.7 203.0.113.1 56324 443\r\nGET /") == "198.51.100.7 47");
    CHECK(read("PROXY TCP4 198.51.100.7 203.0.113.1 0 65535\r\n") == "198.51.100.7 45");
    CHECK(read("PROXY TCP6 2001:db8::9 2001:db8::1 1 443\r\n") == "2001:db8::9 42");
    CHECK(read("PROXY UNKNOWN\r\n") == "nobody 15");
    CHECK(read("PROXY UNKNOWN ffff:f...f:ffff 65535 whatever it is\r\n") == "nobody 52");
    std::string const longest = "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff "
                                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n";
    REQUIRE(longest.size() == 107);
    CHECK(read(longest) == "nobody 107");
}

TEST_CASE("PROXY protocol version 1 has one spelling", "[gateway][proxy]") {
    for (std::string const line : {
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324 443\n",
             "PROXY  TCP4 198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY TCP4  198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324 443 \r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324 443 1\r\n",
             "PROXY TCP4\t198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324 65536\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 56324 0443\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 -1 443\r\n",
             "PROXY TCP4 198.51.100.7 203.0.113.1 +1 443\r\n",
             "PROXY TCP4 198.51.100.07 203.0.113.1 56324 443\r\n",
             "PROXY TCP4 198.51.100 203.0.113.1 56324 443\r\n",
             "PROXY TCP4 2001:db8::9 2001:db8::1 1 443\r\n",
             "PROXY TCP6 198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY TCP6 2001:db8::9%eth0 2001:db8::1 1 443\r\n",
             "PROXY TCP6 [2001:db8::9] 2001:db8::1 1 443\r\n",
             "PROXY TCP5 198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY UDP4 198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY tcp4 198.51.100.7 203.0.113.1 56324 443\r\n",
             "PROXY UNKNOWNS\r\n",
             "PROXY UNKNOWN x\nGET / HTTP/1.1\r\n",
             "PROXY \r\n",
             "proxy TCP4 198.51.100.7 203.0.113.1 56324 443\r\n",
             "GET / HTTP/1.1\r\n\r\n",
             "\x16\x03\x01",
             " PROXY UNKNOWN\r\n",
             "PROXX",
         }) {
        INFO(line);
        auto const seen = read(line.find('\n') == line.size() - 1 && line.find('\r') == std::string::npos
                                   ? line + std::string(107, 'x')
                                   : line);
        CHECK(seen == "malformed");
    }
    CHECK(read("PROXY UNKNOWN " + std::string(92, 'x') + "\r\n") == "malformed"); // 108 bytes
    CHECK(read("PROXY UNKNOWN " + std::string(93, 'x')) == "malformed");          // 107 without a line's end
}

TEST_CASE("PROXY protocol version 2 is read", "[gateway][proxy]") {
    CHECK(read(v2(0x21, 0x11, four)) == "198.51.100.7 28");
    CHECK(read(v2(0x21, 0x11, four) + "GET /") == "198.51.100.7 28");
    CHECK(read(v2(0x21, 0x21, six)) == "2001:db8::9 52");
    CHECK(read(v2(0x21, 0x11, four + std::string("\x04\x00\x02xy", 5))) == "198.51.100.7 33"); // an extension
    CHECK(read(v2(0x20, 0x00, "")) == "nobody 16");
    CHECK(read(v2(0x20, 0x11, four)) == "nobody 28"); // LOCAL: what it says of addresses does not count
    CHECK(read(v2(0x20, 0xff, "abc")) == "nobody 19");
    CHECK(read(v2(0x21, 0x00, "abc")) == "nobody 19");
    CHECK(read(v2(0x21, 0x31, std::string(216, 'u'))) == "nobody 232");
    CHECK(read(v2(0x21, 0x11, four + std::string(4096 - 12, 'x'))) == "198.51.100.7 4112");
}

TEST_CASE("PROXY protocol version 2: what is refused", "[gateway][proxy]") {
    CHECK(read(v2(0x11, 0x11, four)) == "malformed"); // version
    CHECK(read(v2(0x31, 0x11, four)) == "malformed");
    CHECK(read(v2(0x22, 0x11, four)) == "malformed"); // command
    CHECK(read(v2(0x2f, 0x11, four)) == "malformed");
    for (unsigned const family : {0x01U, 0x10U, 0x12U, 0x13U, 0x20U, 0x22U, 0x30U, 0x32U, 0x41U, 0xffU}) {
        INFO(family);
        CHECK(read(v2(0x21, family, std::string(216, 'x'))) == "malformed");
    }
    CHECK(read(v2(0x21, 0x11, four.substr(1))) == "malformed"); // too short for its addresses
    CHECK(read(v2(0x21, 0x21, six.substr(1))) == "malformed");
    CHECK(read(v2(0x21, 0x31, std::string(215, 'u'))) == "malformed");
    CHECK(read(v2(0x21, 0x11, four + std::string(4097 - 12, 'x')).substr(0, 16)) == "malformed"); // too long: at once
    CHECK(read(std::string("\r\n\r\n\0\r\nQUIT\r", 12)) == "malformed");
}

TEST_CASE("a header is read however it is cut", "[gateway][proxy]") {
    for (auto const& whole :
         {std::string("PROXY TCP4 198.51.100.7 203.0.113.1 56324 443\r\n"), v2(0x21, 0x11, four + "extra")})
        for (std::size_t size = 0; size < whole.size(); ++size) {
            INFO(size);
            CHECK(read(whole.substr(0, size)) == "incomplete");
        }
}

TEST_CASE("only the version that was agreed on is believed", "[gateway][proxy]") {
    CHECK(read("PROXY UNKNOWN\r\n", proxy_protocol::v1) == "nobody 15");
    CHECK(read("PROXY UNKNOWN\r\n", proxy_protocol::v2) == "malformed");
    CHECK(read(v2(0x20, 0, ""), proxy_protocol::v2) == "nobody 16");
    CHECK(read(v2(0x20, 0, ""), proxy_protocol::v1) == "malformed");
    CHECK(read("P", proxy_protocol::v2) == "malformed");
    CHECK(read("\r", proxy_protocol::v1) == "malformed");
}

} // namespace proxy_protocol_test
