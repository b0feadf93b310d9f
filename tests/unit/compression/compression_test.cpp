// Accept-Encoding: gzip (RFC 9110 section 12.5.3): which answers are compressed, and that nothing is lost on the way.
#include "compression/compress.hpp"
#include "support/catch.hpp"
#include "support/gunzip.hpp"

namespace compression_test {
using namespace recruiting;
using namespace recruiting::compression;
using recruiting::test::gunzip;

namespace {

std::string field_of(http::response const& answer, std::string_view name) {
    for (auto const& [field, value] : answer.headers)
        if (field == name) return value;
    return {};
}

http::response answer_of(std::size_t size, std::string_view accept_encoding, int level = 1) {
    http::response answer;
    answer.body = std::string(size, 'x');
    compress(answer, accept_encoding, level);
    return answer;
}

// Text that does not repeat itself, so that its compressed form is as long as it.
std::string noise(std::size_t size) {
    std::string out;
    std::uint32_t x = 1;
    while (out.size() < size) out += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
    return out;
}

} // namespace

TEST_CASE("bodies above 1 KiB are gzip where Accept-Encoding asks for it", "[compression]") {
    auto const answer = answer_of(1025, "gzip, deflate, br");
    REQUIRE(field_of(answer, "Content-Encoding") == "gzip");
    REQUIRE(field_of(answer, "Vary") == "Accept-Encoding");
    REQUIRE(answer.content().size() < 100);
    auto const read = gunzip(answer.content());
    CHECK(read.whole);
    CHECK(read.text == std::string(1025, 'x'));
    auto const small = answer_of(1024, "gzip");
    CHECK(small.headers.empty());
    CHECK(small.content() == std::string(1024, 'x'));
}

TEST_CASE("a client that does not ask for gzip gets the body as it is, and is told that others get another",
          "[compression]") {
    for (auto const* accepted : {"", "identity", "br", "gzip;q=0", "gzip;q=0.0, *", "*;q=0", "gzip;q=0.5, identity"}) {
        INFO(accepted);
        auto const answer = answer_of(5000, accepted);
        CHECK(field_of(answer, "Content-Encoding").empty());
        CHECK(field_of(answer, "Vary") == "Accept-Encoding");
        CHECK(answer.content() == std::string(5000, 'x'));
    }
    for (auto const* accepted : {"*", "GZIP", "x-gzip", "br;q=1, gzip;q=0.1", "identity;q=0.5, gzip"}) {
        INFO(accepted);
        CHECK(field_of(answer_of(5000, accepted), "Content-Encoding") == "gzip");
    }
}

TEST_CASE("a very long body is compressed in pieces, so that it holds up no other request", "[compression]") {
    auto const answer = answer_of(3'000'000, "gzip");
    CHECK(field_of(answer, "Content-Encoding") == "gzip");
    CHECK(answer.stream != nullptr);
    CHECK(answer.content().empty());
    CHECK(answer_of(1'000'000, "gzip").stream == nullptr);
}

TEST_CASE("level 0 turns compression off", "[compression]") {
    auto const answer = answer_of(5000, "gzip", 0);
    CHECK(answer.headers.empty());
    CHECK(answer.content() == std::string(5000, 'x'));
}

TEST_CASE("what is compressed already, or is no text, stays as it is", "[compression]") {
    http::response image;
    image.content_type = "image/png";
    image.body = std::string(5000, 'x');
    compress(image, "gzip", 1);
    CHECK(image.headers.empty());
    http::response before;
    before.body = gzip(noise(5000), 9);
    before.add("Content-Encoding", "gzip");
    auto const body = before.body;
    compress(before, "gzip", 1);
    CHECK(before.headers.size() == 1);
    CHECK(before.content() == body);
}

TEST_CASE("every level gives back every text, one after the other", "[compression]") {
    for (int level = 1; level <= 9; ++level)
        for (auto const& text : {std::string(), std::string("a"), noise(300'000), std::string(300'000, 'a')}) {
            auto const read = gunzip(gzip(text, level));
            CHECK(read.whole);
            CHECK((read.text == text));
        }
}

TEST_CASE("text that stays in memory is the same again, and takes no more room than its compressed form",
          "[compression]") {
    for (auto const& text : {std::string(), std::string("a"), noise(300'000), std::string(300'000, 'a')}) {
        auto const packed = deflate(text);
        CHECK((inflate(packed) == text));
        CHECK(packed.capacity() <= packed.size() + 15);
        CHECK_THROWS_AS(inflate(packed.substr(0, packed.size() - 1)), std::runtime_error);
        CHECK_THROWS_AS(inflate(packed + "x"), std::runtime_error);
    }
}

TEST_CASE("a stream can be read up to its latest piece, before its end is made", "[compression]") {
    deflate_stream stream(format::gzip, 1);
    std::string sent;
    std::string plain;
    for (auto const& piece : {std::string("id,name\r\n"), noise(200'000), std::string(), std::string(100'000, 'r')}) {
        stream.add(piece, sent);
        plain += piece;
        auto const read = gunzip(sent);
        CHECK((read.text == plain));
        CHECK_FALSE(read.whole);
    }
    stream.finish("the last", sent);
    auto const read = gunzip(sent);
    CHECK((read.text == plain + "the last"));
    CHECK(read.whole);
}

} // namespace compression_test
