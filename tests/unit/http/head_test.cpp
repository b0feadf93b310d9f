// RFC 9112, the strict profile: heads that have one meaning pass, all others are refused.
#include "http/message_parser.hpp"
#include "support/catch.hpp"

#include <string>

namespace head_test {
using namespace recruiting::http;

namespace {

std::optional<head_fault> parse(std::string_view head, request_head& out) {
    return request_parser().parse_head(head, out);
}

std::optional<head_fault> parse_answer(std::string_view head, response_head& out) {
    return response_parser(false).parse_head(head, out);
}

std::optional<head_fault> parse(std::string_view head) {
    request_head out;
    return parse(head, out);
}

std::string with_field(std::string const& line) { return "GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n"; }

} // namespace

TEST_CASE("a request head becomes views", "[http][head]") {
    request_head head;
    std::string const text =
        "POST /api/v1/me?x=1 HTTP/1.1\r\nHost: example.com\r\nX-A:  b c\t \r\nHOST: two\r\nEmpty:\r\n\r\n";
    REQUIRE_FALSE(parse(text, head));
    CHECK(head.method == "POST");
    CHECK(head.target == "/api/v1/me?x=1");
    CHECK(head.minor_version == 1);
    REQUIRE(head.fields.list.size() == 4);
    CHECK(head.fields.list[1].name == "X-A");
    CHECK(head.fields.list[1].value == "b c");
    CHECK(head.fields.list[1].line == "X-A:  b c\t \r\n");
    CHECK(head.fields.list[3].value.empty());
    CHECK(head.fields.has(field_id::host));
    CHECK_FALSE(head.fields.has_one(field_id::host));
    REQUIRE(repeated_single(head.fields) != nullptr);
    CHECK(repeated_single(head.fields)->name == "Host");
    CHECK(head.fields.value(field_id::host) == "example.com");
    CHECK_FALSE(head.fields.has(field_id::cookie));
}

TEST_CASE("request lines that are refused", "[http][head]") {
    for (std::string const line :
         {"GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1.10", "GET /", "GET",
          "GET\t/ HTTP/1.1", "G@T / HTTP/1.1", "GET /a b HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /# HTTP/1.1",
          "GET /\xc3\xa9 HTTP/1.1", "GET / HTTP/1.1\r", "GET /\r HTTP/1.1"}) {
        INFO(line);
        CHECK(parse(line + "\r\nHost: a\r\n\r\n") == head_fault::malformed);
    }
    CHECK(parse(std::string("GET /\0 HTTP/1.1\r\n\r\n", 20)) == head_fault::malformed);
    CHECK(parse("GET /" + std::string(8 * 1024, 'a') + " HTTP/1.1\r\n\r\n") == head_fault::target_too_long);
}

TEST_CASE("other versions and endless methods are told apart", "[http][head]") {
    for (std::string const version : {"HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "HTTP/9.9"})
        CHECK(parse("GET / " + version + "\r\nHost: a\r\n\r\n") == head_fault::version);
    CHECK(parse("PRI * HTTP/2.0\r\n\r\n") == head_fault::version);
    CHECK(parse(std::string(33, 'M') + " / HTTP/1.1\r\n\r\n") == head_fault::method);
}

TEST_CASE("an underscore that some servers read as a hyphen", "[http][head]") {
    for (std::string const name : {"Content_Length", "transfer_encoding", "X_Forwarded_For", "x-forwarded_proto"}) {
        INFO(name);
        CHECK(parse(with_field(name + ": 1")) == head_fault::malformed);
    }
    CHECK_FALSE(parse(with_field("X_Own: 1")));
    CHECK_FALSE(parse(with_field(std::string(40, '_') + ": 1")));
}

TEST_CASE("field lines that are refused", "[http][head]") {
    for (std::string const line : {"X : a", " X: a", "X", ": a", "X\t: a", "X: a\r\n b", "X: a\r\n\tb", "X: a\rb",
                                   "X: a\nb", "X: a\x7f", "X: \x01", "X(: a", "X\xc3: a", "\"X\": a", "X: a\r\r"}) {
        INFO(line);
        CHECK(parse(with_field(line)) == head_fault::malformed);
    }
    CHECK(parse(with_field(std::string("X: a\0b", 6))) == head_fault::malformed);
    CHECK_FALSE(parse(with_field("X: caf\xc3\xa9")));
    CHECK(parse(with_field("X: " + std::string(16 * 1024, 'y'))) == head_fault::too_large);
    std::string many;
    for (int i = 0; i < 100; ++i) many += "X: a\r\n";
    CHECK(parse(with_field(many + "X: b")) == head_fault::too_large);
}

TEST_CASE("what Beast's parser accepts and the strict profile refuses", "[http][head]") {
    struct row {
        std::string lines;
        head_fault fault;
    };
    for (auto const& [lines, fault] : {
             row{"X: a\r\n b", head_fault::malformed},     // obs-fold
             row{"X:\r\n b", head_fault::malformed},       // a value that begins on the next line
             row{"X:\r\n \r\n\tb", head_fault::malformed}, // or on the one after
             row{"X: a\r\n ", head_fault::malformed},      // a fold with nothing in it
             row{"X:\r\n ", head_fault::malformed},
             row{"Content-Length: 5\r\nContent-Length: 5", head_fault::unclear_length},
             row{"Content-Length: 5, 5", head_fault::unclear_length},
             row{"Content-Length: 05", head_fault::unclear_length},
             row{"Content-Length: 1111111111111111111", head_fault::unclear_length}, // 19 digits
             row{"Transfer-Encoding: gzip", head_fault::unclear_length},
             row{"Transfer-Encoding: gzip\r\nContent-Length: 5", head_fault::unclear_length},
             row{"Transfer-Encoding: x\r\nTransfer-Encoding: chunked", head_fault::unclear_length},
             row{"Transfer-Encoding: chunked;q=1", head_fault::unclear_length},
             row{"Transfer-Encoding: ,chunked", head_fault::unclear_length},
             row{"Transfer-Encoding: gzip, chunked", head_fault::unknown_coding},
             row{"Content_Length: 5", head_fault::malformed},
         }) {
        INFO(lines);
        CHECK(parse(with_field(lines)) == fault);
    }
    CHECK(parse("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == head_fault::unclear_length);
    CHECK(parse("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n") == head_fault::malformed);
    CHECK(parse("GET /\x80 HTTP/1.1\r\nHost: a\r\n\r\n") == head_fault::malformed);
    response_head answer;
    CHECK(parse_answer("HTTP/1.1 600 Far\r\n\r\n", answer) == head_fault::malformed);
    CHECK(parse_answer("HTTP/1.1 000 Zero\r\n\r\n", answer) == head_fault::malformed);
}

TEST_CASE("a CR or LF that stands alone", "[http][head]") {
    for (std::string const text : {"a\nb", "a\rb", "\n", "a\r\n\n", "\r\r\n", "a\n"}) CHECK(has_bare_line_end(text));
    for (std::string const text : {"", "a", "a\r\n", "\r\n\r\n", "a\r"}) CHECK_FALSE(has_bare_line_end(text));
}

TEST_CASE("the end of a head is found in bytes that come one by one", "[http][head]") {
    std::string const text = "GET / HTTP/1.1\r\nHost: a\r\n\r\nrest";
    head_scanner gate;
    for (std::size_t size = 1; size < text.size() - 4; ++size) {
        auto const found = gate.scan(std::string_view(text).substr(0, size), {});
        CHECK(found.size == 0);
        CHECK_FALSE(found.fault);
    }
    CHECK(gate.scan(text, {}).size == text.size() - 4);
}

TEST_CASE("hopeless heads are refused before their end", "[http][head]") {
    CHECK(head_scanner().scan("\x16\x03\x01", {}).fault == head_fault::malformed);
    CHECK(head_scanner().scan("GET / HTTP/1.1\nHost: a\n\n", {}).fault == head_fault::malformed);
    CHECK(head_scanner().scan("GET /" + std::string(9000, 'a'), {}).fault == head_fault::target_too_long);
    CHECK(head_scanner().scan("GET / HTTP/1.1\r\nX: " + std::string(33000, 'a'), {}).fault == head_fault::too_large);
    CHECK(head_scanner().scan("GET / HTTP/1.1\r\nX: " + std::string(33000, 'a') + "\r\n\r\n", {}).fault ==
          head_fault::too_large);
}

TEST_CASE("answers' heads", "[http][head]") {
    response_head head;
    CHECK_FALSE(parse_answer("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", head));
    CHECK(head.status == 200);
    CHECK(head.reason == "OK");
    CHECK_FALSE(parse_answer("HTTP/1.1 404\r\n\r\n", head));
    CHECK(head.status == 404);
    CHECK_FALSE(parse_answer("HTTP/1.0 204 \r\n\r\n", head));
    for (std::string const line : {"HTTP/2.0 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 999 X",
                                   "HTTP/1.1 099 X", "hello", "HTTP/1.1  200 OK"}) {
        INFO(line);
        CHECK(parse_answer(line + "\r\nX: yyyy\r\n\r\n", head) == head_fault::malformed);
    }
}

TEST_CASE("fields are known in any case", "[http][head]") {
    CHECK(identify("hOsT") == field_id::host);
    CHECK(identify("Transfer-Encoding") == field_id::transfer_encoding);
    CHECK(identify("X-Forwarded-For") == field_id::x_forwarded_for);
    CHECK(identify("X-Forwarded-Proto") == field_id::x_forwarded_proto);
    CHECK(identify("X-Forwarded-Port") == field_id::x_forwarded_other);
    CHECK(identify("Access-Control-Request-Method") == field_id::access_control_request_method);
    CHECK(identify("X-Forwarded-") == field_id::other);
    CHECK(identify("Content-Lengthy") == field_id::other);
    CHECK(identify("") == field_id::other);
    CHECK(identify("tE") == field_id::te);
    CHECK(identify("t") == field_id::other);
    CHECK(identify("DATE") == field_id::date);
    CHECK(identify("dat_") == field_id::other);
    CHECK(identify("trailer") == field_id::trailer);
    CHECK(identify("trailes") == field_id::other);
    CHECK(identify("content-lengtH") == field_id::content_length);
    CHECK(identify("content-lengti") == field_id::other);
    CHECK(identify("http2-SETTINGS") == field_id::http2_settings);
}

} // namespace head_test
