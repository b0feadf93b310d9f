// The import's readers: NDJSON and CSV become records with the numbers of their lines.
#include "recruitctl/import/record.hpp"
#include "support/catch.hpp"

#include <boost/json/serialize.hpp>
#include <sstream>

namespace import_readers_test {
using namespace recruiting::recruitctl;

namespace {

// Each record as "line fields", or "line !reason" when it could not be read.
std::vector<std::string> all_of(record_reader& reader) {
    std::vector<std::string> out;
    for (record next; reader.next(next);) {
        auto text = std::to_string(next.line) + ' ';
        if (next.problems.empty()) text += boost::json::serialize(next.fields);
        else text += '!' + next.problems.front().reason;
        out.push_back(std::move(text));
    }
    return out;
}

std::vector<std::string> ndjson(std::string const& text) {
    std::istringstream in(text);
    return all_of(*read_ndjson(in));
}

std::vector<std::string> csv(std::string const& text, import_kind kind = import_kind::candidates) {
    std::istringstream in(text);
    return all_of(*read_csv(in, kind));
}

std::string csv_head_error(std::string const& text) {
    try {
        static_cast<void>(csv(text));
    } catch (std::runtime_error const& error) {
        return error.what();
    }
    return "none";
}

using list = std::vector<std::string>;

} // namespace

TEST_CASE("NDJSON: lines are counted through blank ones, byte order mark and CRLF") {
    CHECK(ndjson("") == list{});
    CHECK(ndjson("\n\r\n") == list{});
    CHECK(ndjson("\xEF\xBB\xBF{\"a\":1}\r\n\n {\"a\":2} ") == list{R"(1 {"a":1})", R"(3 {"a":2})"});
}

TEST_CASE("NDJSON: what is not one JSON object a line is bad") {
    CHECK(ndjson("[1]\n5\n{\"a\":1}{\n{\"a\"\n{} x\n") ==
          list{"1 !invalid_json", "2 !invalid_json", "3 !invalid_json", "4 !invalid_json", "5 !invalid_json"});
    CHECK(ndjson("{\"a\":\"\xC3\"}\n") == list{"1 !invalid_utf8"});
    CHECK(ndjson("{\"a\":\"\\ud800\"}\n") == list{"1 !invalid_json"});
    CHECK(ndjson(std::string("{\"a\":\"\0\"}\n", 10)) == list{"1 !invalid_json"});
}

TEST_CASE("NDJSON: duplicate names and infinite numbers are refused, at any depth") {
    CHECK(ndjson(R"({"a":1,"a":1})") == list{"1 !duplicate_field"});
    CHECK(ndjson(R"({"a":{"b":1},"c":[{"d":1,"d":2}]})") == list{"1 !duplicate_field"});
    CHECK(ndjson(R"({"a":{"b":1},"b":{"a":1}})") == list{R"(1 {"a":{"b":1},"b":{"a":1}})"});
    CHECK(ndjson(R"({"a":1e400})") == list{"1 !invalid_json"});
    CHECK(ndjson("{\"a\":1,\"a\":1}\n{\"a\":1}\n") == list{"1 !duplicate_field", R"(2 {"a":1})"});
}

TEST_CASE("NDJSON: decimals are read to their last digit") {
    auto parsed = parse_json("[1234567.891,20.75,0.07,999999999999.999,1e3]");
    CHECK(std::get<boost::json::value>(parsed) ==
          boost::json::value{1234567.891, 20.75, 0.07, 999999999999.999, 1000.0});
}

TEST_CASE("NDJSON: a line over 4 MiB is skipped, the next one is read") {
    auto const found = ndjson("{\"a\":\"" + std::string(longest_record, 'x') + "\"}\n{\"a\":1}\n");
    CHECK(found == list{"1 !too_long", R"(2 {"a":1})"});
}

TEST_CASE("CSV: quoted cells hold commas, quotes and line ends, empty cells are null") {
    CHECK(csv("externalId,name\n1,\"A, \"\"B\"\"\r\nC\"\r\n2,\n") ==
          list{R"(2 {"externalId":"1","name":"A, \"B\"\r\nC"})", R"(4 {"externalId":"2","name":null})"});
    CHECK(csv("\xEF\xBB\xBF"
              "externalId,name\r\n\r\n\"1\",x\r\n") == list{R"(3 {"externalId":"1","name":"x"})"});
    CHECK(csv("externalId,name\n1,last line without end") ==
          list{R"(2 {"externalId":"1","name":"last line without end"})"});
}

TEST_CASE("CSV: dotted columns become objects, tags are separated by semicolons, other lists are JSON") {
    CHECK(
        csv("externalId,location.city,location.countryCode,tags,links\n1,Bonn,,a; "
            "b;,\"[{\"\"type\"\":\"\"x\"\"}]\"\n") ==
        list{
            R"(2 {"externalId":"1","location":{"city":"Bonn","countryCode":null},"tags":["a","b"],"links":[{"type":"x"}]})"});
    CHECK(csv("externalId,stages\n1,[\n2,[]\n", import_kind::jobs) ==
          list{"2 !invalid_json", R"(3 {"externalId":"2","stages":[]})"});
}

TEST_CASE("CSV: a malformed row is bad and the next one is read") {
    CHECK(csv("externalId,name\n1\n2,a,b\n3,a\"b\n4,\"a\"b,\"\n5,ok\n") == list{"2 !invalid_csv", "3 !invalid_csv",
                                                                                "4 !invalid_csv", "5 !invalid_csv",
                                                                                R"(6 {"externalId":"5","name":"ok"})"});
    CHECK(csv("externalId,name\n1,\"no end\n2,x\n") == list{"2 !invalid_csv"});
    CHECK(csv("externalId,name\n1,\xFF\n2,x\n") == list{"2 !invalid_utf8", R"(3 {"externalId":"2","name":"x"})"});
    CHECK(csv("externalId,name\n1,\"" + std::string(longest_record, 'x') + "\n2,y\n") ==
          list{"2 !too_long", R"(3 {"externalId":"2","name":"y"})"});
    CHECK(csv("externalId,name\n1" + std::string(5000, ',') + "\n2,y\n") ==
          list{"2 !invalid_csv", R"(3 {"externalId":"2","name":"y"})"});
}

TEST_CASE("CSV: everything wrong with the first line is told at once") {
    CHECK(csv_head_error("").find("empty") != std::string::npos);
    auto const error = csv_head_error("name,name,colour\n");
    CHECK(error.find("name is named twice") != std::string::npos);
    CHECK(error.find("unknown column \"colour\"") != std::string::npos);
    CHECK(error.find("no column externalId") != std::string::npos);
    CHECK(csv_head_error("externalId,n\xE4me\n").find("save the file as \"CSV UTF-8\"") != std::string::npos);
}

TEST_CASE("CSV: semicolons and tabs separate cells where they do in the first line") {
    CHECK(csv("\xEF\xBB\xBF"
              "externalId;name;tags\r\n1;Nowak, Ewa;\"a;b\"\r\n") ==
          list{R"(2 {"externalId":"1","name":"Nowak, Ewa","tags":["a","b"]})"});
    CHECK(csv("externalId\tname\n1\tA; B, C\n") == list{R"(2 {"externalId":"1","name":"A; B, C"})"});
    CHECK(csv("sep=;\nexternalId;name\n1;x\n") == list{R"(3 {"externalId":"1","name":"x"})"});
    CHECK(csv("externalId\n1\n") == list{R"(2 {"externalId":"1"})"});
}

TEST_CASE("CSV: empty rows and unnamed empty columns do not count, a value without a column's name does") {
    CHECK(csv("externalId,name,\r\nX-1,A,,\r\n,,,\r\n , ,\r\n") == list{R"(2 {"externalId":"X-1","name":"A"})"});
    CHECK(csv(",externalId,name\n,X-1,A\n5,X-2,B\n") == list{R"(2 {"externalId":"X-1","name":"A"})", "3 !invalid_csv"});
    CHECK(csv("externalId,name\nX-1,A,,\nX-2,B,,c\n") ==
          list{R"(2 {"externalId":"X-1","name":"A"})", "3 !invalid_csv"});
}

TEST_CASE("CSV: cells are trimmed, and a decimal comma is read where commas do not separate cells") {
    CHECK(csv(" externalId , name \n X-1 ,\t\n") == list{R"(2 {"externalId":"X-1","name":null})"});
    auto const paid = [](std::string const& head, std::string const& row) {
        return csv(head + '\n' + row, import_kind::jobs);
    };
    CHECK(paid("externalId;salary.min;salary.max", "j;20,75;1.234,5") ==
          list{R"(2 {"externalId":"j","salary":{"min":"20.75","max":"1.234.5"}})"});
    CHECK(paid("externalId;salary.min;salary.max", "j;60,000;60000") ==
          list{R"(2 {"externalId":"j","salary":{"min":"60,000","max":"60000"}})"});
    CHECK(paid("externalId,salary.min", "j,\"20,75\"") == list{R"(2 {"externalId":"j","salary":{"min":"20,75"}})"});
}

TEST_CASE("UTF-16 with its byte order mark is read in both byte orders") {
    auto const utf16 = [](std::u16string const& text, bool little) {
        std::string out;
        for (char16_t const unit : u"\uFEFF" + text)
            for (int const byte : {little ? 0 : 8, little ? 8 : 0}) out += static_cast<char>((unit >> byte) & 0xFF);
        return out;
    };
    for (bool const little : {true, false}) {
        CHECK(csv(utf16(u"externalId\tname\r\n1\tŁucja \U0001F600 é\r\n", little)) ==
              list{"2 {\"externalId\":\"1\",\"name\":\"Łucja \xF0\x9F\x98\x80 é\"}"});
        CHECK(ndjson(utf16(u"{\"a\":\"ÿ\"}\n", little)) == list{"1 {\"a\":\"ÿ\"}"});
        CHECK(ndjson(utf16(u"{\"a\":\"\xD800\"}\n{\"a\":\"\xDC00\"}\n{\"a\":1}", little)) ==
              list{"1 !invalid_utf8", "2 !invalid_utf8", R"(3 {"a":1})"});
        std::u16string many;
        for (int i = 0; i < 40000; ++i) many += u"{}\n";
        CHECK(ndjson(utf16(many, little)).size() == 40000);
    }
    CHECK(ndjson(utf16(u"{}\n{", true).substr(0, 9)) == list{"1 {}", "2 !invalid_utf8"});
}

TEST_CASE("a file that is no text is called by its name, with how to save it") {
    auto const refused = [](std::string const& bytes) -> std::string {
        try {
            static_cast<void>(ndjson(bytes));
        } catch (std::runtime_error const& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refused("PK\x03\x04 [Content_Types].xml").find("Excel workbook (.xlsx): open it") != std::string::npos);
    CHECK(refused("PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet").find("(.ods)") !=
          std::string::npos);
    CHECK(refused("PK\x03\x04 jobs.csv").find("ZIP archive") != std::string::npos);
    CHECK(refused("\xD0\xCF\x11\xE0\xA1\xB1").find("(.xls)") != std::string::npos);
    CHECK(refused("\x1F\x8B\x08").find("gunzip") != std::string::npos);
    CHECK(refused("%PDF-1.7").find("PDF") != std::string::npos);
    CHECK(refused("\n <html>").find("HTML") != std::string::npos);
    CHECK(csv_head_error("PK\x03\x04 xl/workbook").find("CSV UTF-8") != std::string::npos);
}

} // namespace import_readers_test
