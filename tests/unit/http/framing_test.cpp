// RFC 9112 section 6: where a body ends, and that every doubt about it is refused.
#include "http/message_parser.hpp"
#include "support/catch.hpp"

#include <string>

namespace framing_test {
using namespace recruiting::http;
using kind = framing::kind;

namespace {

std::string text;
request_head head;

std::optional<head_fault> fault;

std::optional<framing> of_request(std::string const& fields, std::string const& version = "1.1") {
    text = "POST / HTTP/" + version + "\r\nHost: a\r\n" + fields + "\r\n";
    fault = request_parser().parse_head(text, head);
    if (!fault) return head.body;
    return std::nullopt;
}

std::optional<framing> of_answer(std::string const& status, std::string const& fields, bool to_head = false) {
    text = "HTTP/1.1 " + status + " X\r\n" + fields + "\r\n";
    response_head answer;
    if (response_parser(to_head).parse_head(text, answer)) return std::nullopt;
    return answer.body;
}

connection_options connection(std::string const& fields) {
    static_cast<void>(of_request(fields));
    return fault ? connection_options{false, false, true} : read_connection(head.fields);
}

struct decoded {
    std::string content;
    bool finished{false};
    body_fault fault{body_fault::none};
    [[nodiscard]] bool malformed() const { return fault == body_fault::malformed; }
    std::size_t consumed{0};
};

// The head of an answer whose body is framed so.
std::string head_of(framing how) {
    std::string const start = "HTTP/1.1 200 OK\r\n";
    if (how.type == kind::chunked) return start + "Transfer-Encoding: chunked\r\n\r\n";
    return how.type == kind::length ? start + "Content-Length: " + std::to_string(how.length) + "\r\n\r\n"
                                    : start + "\r\n";
}

void begin(response_parser& reader, framing how) {
    response_head answer;
    text = head_of(how);
    REQUIRE_FALSE(reader.parse_head(text, answer));
    REQUIRE(answer.body == how);
}

// Gives the reader the bytes in pieces of that size, and again what it left.
decoded decode(framing how, std::string const& bytes, std::size_t piece) {
    response_parser reader(false);
    begin(reader, how);
    decoded out;
    std::string held;
    for (std::size_t at = 0; at < bytes.size() && !out.finished && out.fault == body_fault::none; at += piece) {
        held += bytes.substr(at, piece);
        auto const step = reader.next(held);
        out.content += step.content;
        out.consumed += step.consumed;
        out.finished = step.finished;
        out.fault = step.fault;
        held.erase(0, step.consumed);
    }
    CHECK((out.fault != body_fault::none || reader.received() == out.content.size()));
    return out;
}

decoded chunks(std::string const& bytes, std::size_t piece = 1000) { return decode({kind::chunked, 0}, bytes, piece); }

} // namespace

TEST_CASE("framing of requests", "[http][framing]") {
    CHECK(of_request("") == framing{});
    CHECK(of_request("Content-Length: 0\r\n") == framing{});
    CHECK(of_request("Content-Length: 12\r\n") == framing{kind::length, 12});
    CHECK(of_request("Transfer-Encoding: chunked\r\n") == framing{kind::chunked, 0});
    CHECK(of_request("Transfer-Encoding: CHUNKED\r\n") == framing{kind::chunked, 0});
}

TEST_CASE("framing of requests that is refused", "[http][framing]") {
    for (std::string const value : {"", "-1", "+1", "0x10", "1 2", "1,1", "1, 1", "1;", "99999999999999999999", "1.0",
                                    "01", "00", "\"1\"", "1e3"}) {
        INFO(value);
        CHECK_FALSE(of_request("Content-Length: " + value + "\r\n"));
    }
    for (std::string const value : {"", "identity", "gzip", "gzip, chunked", "chunked, chunked", "chunked;q=1",
                                    "xchunked", "chunked,", "\"chunked\"",
                                    "\x0b"
                                    "chunked"}) {
        INFO(value);
        if (value.find('\x0b') == std::string::npos) CHECK_FALSE(of_request("Transfer-Encoding: " + value + "\r\n"));
    }
    CHECK_FALSE(of_request("Content-Length: 1\r\nContent-Length: 1\r\n"));
    CHECK_FALSE(of_request("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"));
    CHECK_FALSE(of_request("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"));
    CHECK_FALSE(of_request("Transfer-Encoding: chunked\r\n", "1.0"));
}

TEST_CASE("codings before chunked are told apart from nonsense", "[http][framing]") {
    auto const unknown = [](std::string const& fields, std::string const& version = "1.1") {
        CHECK_FALSE(of_request(fields, version));
        return fault == head_fault::unknown_coding;
    };
    CHECK(unknown("Transfer-Encoding: gzip, chunked\r\n"));
    CHECK(unknown("Transfer-Encoding: a;q=1 , b,CHUNKED\r\n"));
    for (std::string const value : {"gzip", "chunked, gzip", "chunked, chunked", ", chunked", "g zip, chunked"}) {
        INFO(value);
        CHECK_FALSE(unknown("Transfer-Encoding: " + value + "\r\n"));
    }
    CHECK_FALSE(unknown("Transfer-Encoding: gzip, chunked\r\n", "1.0"));
    CHECK_FALSE(unknown("Transfer-Encoding: gzip, chunked\r\nContent-Length: 1\r\n"));
}

TEST_CASE("framing of answers", "[http][framing]") {
    CHECK(of_answer("200", "") == framing{kind::until_close, 0});
    CHECK(of_answer("200", "Content-Length: 5\r\n") == framing{kind::length, 5});
    CHECK(of_answer("200", "Content-Length: 5\r\n", true) == framing{});
    CHECK(of_answer("304", "Content-Length: 5\r\n") == framing{});
    CHECK(of_answer("204", "") == framing{});
    CHECK(of_answer("103", "") == framing{});
    CHECK_FALSE(of_answer("200", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"));
    CHECK_FALSE(of_answer("200", "Content-Length: 5\r\nContent-Length: 6\r\n"));
}

TEST_CASE("Connection", "[http][framing]") {
    CHECK(connection("Connection: close\r\n").close);
    CHECK(connection("Connection: Keep-Alive\r\n").keep_alive);
    CHECK(connection("Connection: keep-alive , x-foo\r\nConnection: CLOSE\r\nX-Foo: 1\r\n").close);
    CHECK(head.fields.list.back().dropped);
    CHECK_FALSE(connection("Connection: upgrade, http2-settings, keep-alive, te\r\n").refused);
    std::string many;
    for (int i = 0; i < 33; ++i) many += "a,";
    CHECK(connection("Connection: " + many + "\r\n").refused);
    for (std::string const name : {"Host", "content-length", "Authorization", "a b", "Transfer-Encoding", "connection",
                                   "X-Forwarded-For", "content-type", "X-Request-Id"}) {
        INFO(name);
        CHECK(connection("Connection: close, " + name + "\r\n").refused);
    }
    CHECK_FALSE(connection("").close);
}

TEST_CASE("bodies with a length", "[http][body]") {
    for (std::size_t piece : {1U, 3U, 100U}) {
        auto const out = decode({kind::length, 5}, "hellomore", piece);
        CHECK(out.content == "hello");
        CHECK(out.consumed == 5);
        CHECK(out.finished);
    }
    CHECK_FALSE(decode({kind::length, 50}, "hello", 10).finished);
}

TEST_CASE("bodies until close", "[http][body]") {
    response_parser reader(false);
    begin(reader, {kind::until_close, 0});
    std::string bytes = "abc";
    CHECK(reader.next(bytes).content == "abc");
    CHECK_FALSE(reader.finished());
    CHECK(reader.finish_at_close());
    response_parser cut(false);
    begin(cut, {kind::length, 2});
    CHECK_FALSE(cut.finish_at_close());
}

TEST_CASE("chunked bodies, however they are cut", "[http][body]") {
    std::string const bytes = "5;name=value;q=\"a\\\"; b\";z\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\nTrailer: "
                              "x\r\nOther:\r\n\r\nGET /next";
    for (std::size_t piece = 1; piece < bytes.size() + 1; ++piece) {
        auto const out = chunks(bytes, piece);
        CHECK(out.content == "hello 0123456789");
        CHECK(out.finished);
        CHECK(bytes.substr(out.consumed) == "GET /next");
    }
    for (std::size_t piece = 1; piece < 6; ++piece) {
        CHECK(chunks("0\r\n\r\n", piece).finished);
        CHECK(chunks("0\r\nX: y\r\n\r\n", piece).finished);
        CHECK(chunks("3\r\n0\r\n\r\n0\r\n\r\n", piece).content == "0\r\n");
    }
}

TEST_CASE("chunked bodies that are refused", "[http][body]") {
    for (std::string const bytes : {"\r\n",
                                    "g\r\n",
                                    "-1\r\n",
                                    "0x5\r\n",
                                    "5 \r\n",
                                    " 5\r\n",
                                    "5\nhello\r\n",
                                    "5\r\nhelloX\r\n",
                                    "5\r\nhello\n",
                                    "5\r\nhello\rX",
                                    "5\rX",
                                    "1000000000000000\r\n",
                                    ";x\r\n",
                                    "5;a\nb\r\n",
                                    "0\r\n X\r\n\r\n",
                                    "0\r\n\n",
                                    "0\r\nA: b\n",
                                    "0\r\n: b\r\n\r\n",
                                    "+5\r\n",
                                    "5;\x01\r\n",
                                    "05\r\nhello\r\n",
                                    "00\r\n\r\n",
                                    "5;\r\n",
                                    "5; a\r\n",
                                    "5;a=\r\n",
                                    "5;a=\"b\r\n",
                                    "5;a=\"b\"c\r\n",
                                    "5;;a\r\n",
                                    "0\r\nX\r\n\r\n",
                                    "0\r\nX : y\r\n\r\n"}) {
        INFO(bytes);
        CHECK(chunks(bytes).malformed());
    }
    // What Beast's parser accepts, or waits for more of.
    for (std::string const bytes :
         {"5 ;a\r\n", "5;a =b\r\n", "5;a= b\r\n", "5;a\t;b\r\n", "5;a=\"\n\"\r\n", "5;a=\"\x01\"\r\n",
          "5;a=\"\\\n\"\r\n", "0005\r\n", "000\r\n\r\n", "0;a=\"b\r\n\r\n", "5;a=\"b\r\nhello\r\n0\r\n\r\n",
          "0\r\nX: y\r\n z\r\n\r\n", "0\r\nX:\r\n z\r\n\r\n", "11111111111111111", "5\n", "5\rX"}) {
        INFO(bytes);
        CHECK(chunks(bytes).malformed());
    }
    CHECK(chunks("1;" + std::string(1025, 'x')).malformed());
    CHECK(chunks("0;" + std::string(1025, 'x') + "\r\n").malformed()); // before the trailers come
    CHECK(chunks("0\r\nT: " + std::string(9000, 'x')).fault == body_fault::trailers_too_large);
    std::string many = "0\r\n";
    for (int i = 0; i < 33; ++i) many += "T: x\r\n";
    CHECK(chunks(many + "\r\n").fault == body_fault::trailers_too_large);
}

} // namespace framing_test
