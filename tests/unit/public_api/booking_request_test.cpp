// What a booking request may hold: every problem at once, and no reading of it that another reader would not share.
#include "core/text.hpp"
#include "http/json_fields.hpp"
#include "public_api/booking/schedule.hpp"
#include "support/catch.hpp"
#include "unit/public_api/made_input.hpp"
#include "unit/public_api/published_sample.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <set>

namespace booking_request_test {
using namespace recruiting;
using namespace recruiting::public_api;
using recruiting::test::made_input;

namespace {

boost::json::array vectors(std::string const& name) {
    std::ifstream file(RECRUITING_SOURCE_DIR "/tests/vectors/" + name);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    return boost::json::parse(text).as_array();
}

std::string from_base64(std::string text) {
    while (text.ends_with('=')) text.pop_back();
    for (auto& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    return recruiting::from_base64url(text).value();
}

std::vector<std::string> problems_of(std::string_view body, std::string_view type = "application/json") {
    http::request req;
    req.headers = {{"Content-Type", type}};
    req.body = body;
    auto const read = read_booking_request(req, booking_settings{});
    if (read) return {};
    std::vector<std::string> found;
    for (auto const& detail : read.error().details) found.push_back(detail.field + " " + detail.reason);
    if (found.empty()) found.emplace_back(to_string(read.error().code));
    return found;
}

using strings = std::vector<std::string>;

constexpr char const* sample_job_id = "0199c1a1c3d87f02b5a6e4d17c930f58";
constexpr char const* sample_stage_id = "0199c1a1c3d97a10894fb2c6d5e07315";

/// What is planned of a request for this stage, where one job with one bookable stage is published.
result<counted_query> planned_booking(std::string const& job, std::string const& stage,
                                      std::string const& start = "2026-11-24T10:00Z") {
    made_input made({{job, stage}, 2}, "/", "", parse_time("2026-11-21T10:00:00Z").value());
    auto published = test::sample_job(1, "Engineer");
    published.id = parse_id(sample_job_id).value();
    published.bookable_stages.push_back({parse_id(sample_stage_id).value(), "Interview", 45});
    catalogue const nothing;
    made.published =
        catalogue_builder(nothing, "https://jobs.example.com").put(test::sample_organization(), {published}).build();
    auto const body = R"({"email":"a@b.example","slotStart":")" + start + "\"}";
    made.request.headers = {{"Content-Type", "application/json"}};
    made.request.body = body;
    auto planned = request_booking(made.get());
    if (!planned) return planned.error();
    return std::get<counted_query>(std::move(*planned));
}

} // namespace

TEST_CASE("a booking request is an address, a time in UTC and perhaps a time zone", "[public_api][booking]") {
    http::request req;
    req.headers = {{"content-type", "Application/JSON ; charset=utf-8"}};
    req.body = R"({"email":"jos\u00e9@example.com","slotStart":"2026-11-24T10:00:00+00:00","timeZone":"Asia/Kathmandu",
                   "name":{"email":[1,null,"x"]},"n":1e400})";
    auto const read = read_booking_request(req, booking_settings{});
    REQUIRE(read.has_value());
    CHECK(read->email == "josé@example.com");
    CHECK(read->slot_start == parse_time("2026-11-24T10:00:00Z"));
    CHECK(read->time_zone == "Asia/Kathmandu");
    CHECK(problems_of(R"({"email":"a@b.example","slotStart":"2026-11-24T10:00:00.000Z","timeZone":null})").empty());
}

TEST_CASE("the mails' language is the request's, else Accept-Language's, else English, and never an error",
          "[public_api][booking]") {
    auto const language_of = [](std::string const& field, char const* accept) {
        http::request req;
        req.headers = {{"content-type", "application/json"}, {"accept-language", accept}};
        auto const body = R"({"email":"a@b.example","slotStart":"2026-11-24T10:00:00Z")" + field + "}";
        req.body = body;
        auto const read = read_booking_request(req, booking_settings{});
        REQUIRE(read.has_value());
        return read->language;
    };
    CHECK(language_of(R"(,"language":"de-CH")", "fr") == "de");
    CHECK(language_of(R"(,"language":"it")", "fr") == "it");
    CHECK(language_of("", "fr-CA, es;q=0.9") == "fr");
    CHECK(language_of("", "") == "en");
    for (auto const* unknown : {"pt", "", "not a tag!", "d\u0000e"})
        CHECK(language_of(",\"language\":\"" + std::string(unknown) + "\"", "ja") == "ja");
    CHECK(language_of(",\"language\":\"" + std::string(300, 'x') + "\"", "pt") == "en");
    CHECK(language_of(",\"language\":null", "es") == "es");
}

TEST_CASE("all problems of a booking request are told at once", "[public_api][booking]") {
    CHECK(problems_of("{}") == strings{"email missing", "slotStart missing"});
    CHECK(problems_of(R"({"email":1,"slotStart":["2026-11-24T10:00:00Z"],"timeZone":{}})") ==
          strings{"email wrong_type", "slotStart wrong_type", "timeZone wrong_type"});
    CHECK(problems_of(R"({"email":null,"slotStart":"soon","timeZone":"Mars/Olympus"})") ==
          strings{"email wrong_type", "slotStart invalid", "timeZone invalid"});
    CHECK(problems_of(R"({"email":"a@b.example\r\nBcc: c@d.example","slotStart":"2026-11-24T10:00:00+01:00"})") ==
          strings{"email invalid", "slotStart invalid"});
    CHECK(problems_of(R"({"email":"a@b.example","email":"c@d.example","slotStart":"2026-11-24T10:00:00Z"})") ==
          strings{"email repeated"});
    CHECK(problems_of(R"({"e\u006dail":"a@b.example","email":"c@d.example","slotStart":"2026-11-24T10:00:00Z"})") ==
          strings{"email repeated"});
}

TEST_CASE("the content type and the size come first", "[public_api][booking]") {
    for (auto const* type : {"", "text/plain", "application/x-www-form-urlencoded", "application/json-patch+json",
                             "multipart/form-data; boundary=application/json"})
        CHECK(problems_of("{}", type) == strings{"unsupported_media_type"});
    CHECK(problems_of("{" + std::string(4095, ' ')) == strings{" malformed_json"});
    CHECK(problems_of("{" + std::string(4096, ' ')) == strings{"payload_too_large"});
}

TEST_CASE("what is JSON is read, what is not is refused", "[public_api][booking]") {
    int documents = 0;
    for (auto const& item : vectors("json_documents.json")) {
        auto const name = std::string(item.at("name").as_string());
        auto const document = from_base64(std::string(item.at("b64").as_string()));
        INFO(name);
        auto const told = problems_of(document);
        if (name.starts_with("n_")) CHECK(told == strings{" malformed_json"});
        if (name.starts_with("y_")) {
            CHECK(told != strings{" malformed_json"});
            http::json_fields around("{\"x\":" + document + ",\"email\":\"here\"}");
            CHECK(around.text("email") == "here");
        }
        if (name.starts_with("i_")) CHECK_FALSE(told.empty()); // whatever it is: not a booking request
        ++documents;
    }
    CHECK(documents == 316);
    CHECK(problems_of(std::string(4096, '[')) == strings{" malformed_json"});
    for (auto const* text : {"", " ", "{}{}", "{} x", "[]", "1", "null", "\"{}\"", "\xEF\xBB\xBF{}", "{\"a\":1,}",
                             "{'a':1}", "{/**/}", "NaN"}) {
        INFO(text);
        CHECK((problems_of(text) == strings{" malformed_json"} || problems_of(text) == strings{" wrong_type"}));
    }
}

TEST_CASE("no spelling of a time but ISO 8601 in UTC is a slot's start", "[public_api][booking]") {
    auto const parse_slot_start = [](std::string const& text) -> std::optional<timestamp> {
        http::json_fields fields(R"({"slotStart":)" + boost::json::serialize(boost::json::string(text)) + "}");
        return fields.time("slotStart");
    };
    // Well-formed, but at no slot: the look-up in the schedule refuses these.
    constexpr std::array elsewhere = {"far future",       "epoch",          "before epoch",
                                      "32 bit overflow",  "comma fraction", "30 digit fraction",
                                      "leap second, past"};
    for (auto const& item : vectors("date_times.json")) {
        auto const why = std::string(item.at("why").as_string());
        INFO(why);
        bool const is_time = std::find(elsewhere.begin(), elsewhere.end(), why) != elsewhere.end();
        CHECK(parse_slot_start(std::string(item.at("text").as_string())).has_value() == is_time);
    }
    CHECK(parse_slot_start("2027-03-01T10:00:00Z") == parse_time("2027-03-01T10:00:00Z"));
    CHECK(parse_slot_start("2027-03-01t10:00:00.5z") == parse_time("2027-03-01T10:00:00.500Z"));
    for (auto const* text : {"2027-03-01T10:00:00+00:00", "2027-03-01T10:00Z", "2027-03-01T10:00:00+0000"})
        CHECK(parse_slot_start(text) == parse_time("2027-03-01T10:00:00Z"));
    for (auto const* text : {"2027-03-01T10:00:00-00:00", "2027-03-01T12:00:00+02:00"})
        CHECK_FALSE(parse_slot_start(text));
}

TEST_CASE("requests are counted by client and job, and by address and client network whatever the address's spelling",
          "[public_api][booking]") {
    auto const job = parse_id(sample_job_id).value();
    made_input const made({}, "/", "");
    auto const uses_of = [&](std::string_view client, std::string_view email) {
        auto input = made.get();
        input.client = client;
        return booking_uses(input, job, email);
    };
    auto const same = [&](std::size_t limit, std::string_view one, std::string_view other) {
        return uses_of(one, "a@b.example")[limit].key == uses_of(other, "a@b.example")[limit].key;
    };
    auto const uses = uses_of("192.0.2.1", "Jo@Example.com");
    REQUIRE(uses.size() == 3);
    CHECK((uses[0].most == 10 && uses[0].window == std::chrono::hours{1} && !uses[0].is_silent));
    CHECK((uses[1].most == 5 && uses[1].window == std::chrono::hours{24} && !uses[1].is_silent));
    CHECK((uses[2].most == 50 && uses[2].window == std::chrono::hours{24} && uses[2].is_silent));
    CHECK(std::set{uses[0].key, uses[1].key, uses[2].key}.size() == 3);
    for (auto const limit : {1U, 2U}) {
        CHECK(uses[limit].key == uses_of("192.0.2.1", "jo@example.COM")[limit].key);
        CHECK(uses[limit].key == uses_of("192.0.2.1", "jo+tag@example.com")[limit].key); // one mailbox
        CHECK(uses[limit].key != uses_of("192.0.2.1", "jo@example.org")[limit].key);
        // No fresh count for another spelling, and none of another's for a look-alike.
        CHECK(uses_of("192.0.2.1", "kim@köln.example")[limit].key ==
              uses_of("192.0.2.1", "Kim@xn--kln-sna.example")[limit].key);
        CHECK(uses_of("192.0.2.1", "ceo@mİnerva.example")[limit].key !=
              uses_of("192.0.2.1", "ceo@minerva.example")[limit].key);
    }
    // The client: an IPv4 address, an IPv6 /64. Its network: /24 and /56.
    CHECK_FALSE(same(0, "192.0.2.1", "192.0.2.2"));
    CHECK(same(0, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9"));
    CHECK_FALSE(same(0, "2001:db8:1:3::", "2001:db8:1:2::9"));
    CHECK(same(1, "192.0.2.1", "192.0.2.255"));
    CHECK_FALSE(same(1, "192.0.2.1", "192.0.3.1"));
    CHECK(same(1, "2001:db8:1:0200::1", "2001:db8:1:02ff::1"));
    CHECK_FALSE(same(1, "2001:db8:1:0200::1", "2001:db8:1:0300::1"));
    CHECK(same(2, "192.0.2.1", "2001:db8::1"));
}

TEST_CASE("another spelling of a job's id is no fresh count", "[public_api][booking]") {
    auto const counted = [](std::string const& job) {
        return planned_booking(job, sample_stage_id).value().uses.at(0).key;
    };
    auto const key = counted(sample_job_id);
    CHECK(counted("0199C1A1C3D87F02B5A6E4D17C930F58") == key);
    CHECK(counted("0199c1a1-c3d8-7f02-b5a6-e4d17c930f58") == key);
}

TEST_CASE("an unknown job or stage is refused from memory, before anything is counted", "[public_api][booking]") {
    CHECK(planned_booking(sample_job_id, sample_stage_id).has_value());
    for (auto const& [job, stage] : {std::pair{sample_stage_id, sample_stage_id},
                                     {sample_job_id, sample_job_id},
                                     {"x", sample_stage_id},
                                     {sample_job_id, "y"}}) {
        auto const refused = planned_booking(job, stage);
        REQUIRE(refused.has_error());
        CHECK(refused.error().code == error_code::not_found);
    }
}

TEST_CASE("a time outside what can be booked is counted, and asks the database nothing", "[public_api][booking]") {
    auto const planned = [&](std::string const& start) {
        auto const out = planned_booking(sample_job_id, sample_stage_id, start).value();
        CHECK(out.uses.size() == 3);
        CHECK(out.excess_statements.size() == out.query.statements.size());
        return out.query.statements.size();
    };
    CHECK(planned("2026-11-21T11:59:59Z") == 0);
    CHECK(planned("2026-11-21T12:00:00Z") == 1);
    CHECK(planned("2026-12-21T10:00:00Z") == 1);
    CHECK(planned("2026-12-21T10:00:01Z") == 0);
    CHECK(planned("0001-01-01T00:00:00Z") == 0);
}

TEST_CASE("while the cursor secret is rotated, a request is counted under both, the silent limit last",
          "[public_api]") {
    made_input made({}, "/", "");
    auto const job = parse_id(sample_job_id).value();
    auto const old = booking_uses(made.get(), job, "ann@acme.example");
    made.limit_keys = limit_keys_of("another secret of thirty-two bytes", "a secret of thirty-two bytes or so");
    auto const both = booking_uses(made.get(), job, "ann@acme.example");
    REQUIRE(old.size() == 3);
    REQUIRE(both.size() == 6);
    for (auto const& use : old)
        CHECK(std::ranges::count_if(both,
                                    [&](auto const& one) { return one.name == use.name && one.key == use.key; }) == 1);
    CHECK(both[4].is_silent);
    CHECK(both[5].is_silent);
    CHECK_FALSE(both[3].is_silent);
}

} // namespace booking_request_test
