// JSON written straight into a buffer.
#include "http/json_writer.hpp"
#include "support/catch.hpp"

namespace json_writer_test {
using namespace recruiting;

TEST_CASE("commas come by themselves", "[http]") {
    std::string out;
    http::json_writer json(out);
    json.open_object().key("a").open_array().close_array().key("b").open_array();
    json.value(1).value(true).null().value("x").open_object().close_object().open_array().value(2).close_array();
    json.close_array()
        .field("c", std::optional<std::string>())
        .field("d", std::optional<std::string>("e"))
        .close_object();
    REQUIRE(out == R"({"a":[],"b":[1,true,null,"x",{},[2]],"c":null,"d":"e"})");
}

TEST_CASE("strings that end like structure do not confuse it", "[http]") {
    std::string out;
    http::json_writer json(out);
    json.open_array().value("[").value("{").value(":").value("\n").value("").close_array();
    REQUIRE(out == R"(["[","{",":","\n",""])");
}

TEST_CASE("text is escaped, ids and times have their wire form", "[http]") {
    std::string out;
    http::json_writer json(out);
    json.open_object()
        .field("t", std::string("\"\\\x01\b\f\n\r\t\x7f é"))
        .field("i", *parse_id("0199c1a1c3d87f02b5a6e4d17c930f58"))
        .field("w", *parse_time("2026-01-31T08:30:00.123999Z"))
        .field("n", std::int64_t{-9223372036854775807LL - 1})
        .close_object();
    REQUIRE(out == "{\"t\":\"\\\"\\\\\\u0001\\b\\f\\n\\r\\t\x7f é\",\"i\":\"0199c1a1c3d87f02b5a6e4d17c930f58\","
                   "\"w\":\"2026-01-31T08:30:00.123Z\",\"n\":-9223372036854775808}");
}

TEST_CASE("lines of NDJSON start afresh", "[http]") {
    std::string out;
    http::json_writer json(out);
    json.open_object().close_object();
    out += '\n';
    json.open_object().close_object();
    REQUIRE(out == "{}\n{}");
}

} // namespace json_writer_test
