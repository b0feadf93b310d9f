// Booking over HTTP as anybody sees it: the published schedule, one answer for everyone, and the limits, with Redis
// there, away, slow and emptied.
#include "integration/public_api/visitor.hpp"
#include "integration/support/redis_servers.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace booking_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

std::function<void(public_api::settings&)> with_redis(std::string const& url) {
    return [url](public_api::settings& config) { config.redis = redis::parse_address(url).value(); };
}

std::string from(std::string const& address) { return "X-Forwarded-For: " + address + "\r\n"; }

bool redis_is_connected(visitor const& someone) {
    return someone.harness.metrics().find("redis_connections 1") != std::string::npos;
}

} // namespace

TEST_CASE("the schedule shows what can be booked, in the visitor's zone too", "[public_api][booking]") {
    booking_system system;
    auto const interviewer = system.add_interviewer();
    for (int const hours : {1, 30, 31, 24 * 29, 24 * 31}) system.open_slot(interviewer, hours);
    system.open_slot(system.add_interviewer(), 30); // the same time with another: one slot
    visitor someone(system);

    auto const answer = someone.slots();
    REQUIRE(answer.status == 200);
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("etag").empty());
    CHECK(answer.header("access-control-allow-origin") == "*");
    auto const starts = json::parse(answer.body).at("data").as_array();
    REQUIRE(starts.size() == 3);
    CHECK(starts[0].as_object().size() == 3);
    CHECK(starts[0].at("slotStart").as_string() == format_time(system.at(30)));
    CHECK(starts[0].at("slotEnd").as_string() == format_time(system.at(30) + std::chrono::minutes{45}));
    CHECK(starts[0].at("interviewDurationMinutes").as_int64() == 45);
    CHECK(json::serialize(json::parse(answer.body).at("page")) == R"({"limit":2000,"hasMore":false,"nextFrom":null})");

    auto const narrow = someone.slots("?from=" + format_time(system.at(31)) + "&to=" + format_time(system.at(32)) +
                                      "&timeZone=Asia/Kathmandu");
    auto const there = json::parse(narrow.body).at("data").as_array();
    REQUIRE(there.size() == 1);
    CHECK(std::string_view(there[0].at("localStart").as_string()).ends_with("+05:45"));
    CHECK(someone.slots("?from=x&to=2020-01-01T00:00:00Z&timeZone=x").status == 400);
    CHECK(json::parse(someone.slots("?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z").body)
              .at("data")
              .as_array()
              .empty());
}

TEST_CASE("a schedule that is cut says where its rest begins", "[public_api][booking]") {
    booking_system system;
    auto const interviewer = system.add_interviewer();
    for (int const hours : {30, 31, 32, 33, 34}) system.open_slot(interviewer, hours);
    visitor someone(system, [](public_api::settings& config) { config.booking.slots_shown = 2; });

    std::vector<std::string> starts;
    std::string query;
    for (int parts = 0; parts < 3; ++parts) {
        auto const answer = json::parse(someone.slots(query).body).as_object();
        for (auto const& slot : answer.at("data").as_array()) starts.emplace_back(slot.at("slotStart").as_string());
        auto const& page = answer.at("page").as_object();
        CHECK(page.at("limit") == 2);
        CHECK(page.at("hasMore") == (parts < 2));
        CHECK(page.at("nextFrom").is_null() == (parts == 2));
        if (parts < 2) query = "?from=" + std::string(page.at("nextFrom").as_string());
    }
    REQUIRE(starts.size() == 5);
    for (std::size_t i = 0; i < starts.size(); ++i)
        CHECK(starts[i] == format_time(system.at(30 + static_cast<int>(i))));
}

TEST_CASE("an unknown, an unpublished and an unbookable stage are one 404", "[public_api][booking]") {
    booking_system system;
    auto const interviewer = system.add_interviewer();
    system.open_slot(interviewer, 30);
    visitor someone(system);
    auto const job = to_string(system.job);
    auto const stage = to_string(system.stage);
    auto const other = to_string(new_record_id());
    REQUIRE(someone.book("a@b.example", system.at(30)).status == 200);
    auto const unknown = visible(someone.get(other + "/" + stage + "/slots"));
    CHECK(visible(someone.get(job + "/" + other + "/slots")) == unknown);
    CHECK(visible(someone.get("x/" + stage + "/slots")) == unknown);
    CHECK(visible(someone.get(job + "/" + stage.substr(1) + "/slots")) == unknown);
    for (std::string const change :
         {"UPDATE recruiting.stages SET bookable = false", "UPDATE recruiting.jobs SET published = false"}) {
        system.change(change);
        CHECK(visible(someone.slots()) == unknown);
        CHECK(someone.book("a@b.example", system.at(30)).status == 404);
    }
    CHECK(system.waiting() == "1");
}

TEST_CASE("a request is kept as it was meant, and asks nobody who it is", "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    visitor someone(system);
    auto const path = to_string(system.job) + "/" + to_string(system.stage) + "/bookings";
    auto const start = format_time(system.at(30));
    CHECK(someone
              .post(path, R"({"email":"Jo@Example.com","timeZone":"Asia/Kathmandu","name":"Jo","slotStart":")" + start +
                              "\"}")
              .status == 200);
    CHECK(system.value("SELECT email || ' ' || time_zone FROM recruiting.booking_requests") ==
          "Jo@Example.com Asia/Kathmandu");
    CHECK(someone.post(path, R"({"email":"In@Example.com","timeZone":"Asia/Calcutta","slotStart":")" + start + "\"}")
              .status == 200);
    CHECK(system.value("SELECT time_zone FROM recruiting.booking_requests WHERE email = 'In@Example.com'") ==
          "Asia/Kolkata");
    CHECK(
        someone.post(path, R"({"email":"a@b.example","timeZone":"Etc/Unknown","slotStart":")" + start + "\"}").status ==
        400);
    CHECK(someone.post(path, "{}").status == 400);
    CHECK(someone.post(path, std::string(5000, ' ')).status == 413);
    CHECK(someone.post(path, R"({"email":"a@b.example","slotStart":")" + start + "\"}", "Content-Type: text/plain\r\n")
              .status == 415);
    CHECK(someone.get(path).status == 405);
    CHECK(system.waiting() == "2");
}

TEST_CASE("a time that is gone or past has the same details when it is booked and when an interview is moved to it",
          "[public_api][booking]") {
    booking_system system;
    auto const interviewer = system.add_interviewer();
    for (int const hours : {1, 30, 31, 32, 24 * 31}) system.open_slot(interviewer, hours);
    system.add_candidate("jo@example.com");
    system.ask("jo@example.com", 30);
    system.work();
    system.change("UPDATE recruiting.interview_slots SET closed_at = now() WHERE starts_at = '" +
                  format_time(system.at(32)) + "'");
    auto const token = make_link(system, "jo@example.com");
    visitor someone(system);
    for (int const hours : {-24, 1, 32, 33, 24 * 31}) { // past, too soon, closed, none, too far ahead
        INFO(hours);
        auto const start = system.at(hours);
        auto const booked = someone.book("jo@example.com", start);
        auto const moved =
            someone.post("manage/" + token + "/reschedule", R"({"slotStart":")" + format_time(start) + "\"}");
        CHECK(booked.status == 404);
        CHECK(moved.status == 409);
        auto const [one, other] = std::pair(json::parse(booked.body).at("error").as_object(),
                                            json::parse(moved.body).at("error").as_object());
        CHECK(one.at("code").as_string() == "not_found");
        CHECK(other.at("code").as_string() == "slot_taken");
        CHECK(one.at("message") == other.at("message"));
        CHECK(one.at("details") == other.at("details"));
        CHECK(one.at("details").at(0).at("field").as_string() == "slotStart");
    }
}

TEST_CASE("a limit holds while Redis is away, slow, or was emptied", "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis redis;
    visitor someone(system, [&](public_api::settings& config) {
        with_redis(redis.url())(config);
        config.booking.requests_per_email = 4;
    });
    auto const connected = [&](char const* how_many) {
        return someone.harness.metrics().find("redis_connections " + std::string(how_many)) != std::string::npos;
    };
    REQUIRE(eventually([&] { return connected("1"); }));
    CHECK(someone.book("a@b.example", system.at(30)).status == 200);
    redis.hang();
    CHECK(someone.book("a@b.example", system.at(30)).status == 200);
    redis.resume();
    redis.kill();
    REQUIRE(eventually([&] { return connected("0"); }));
    CHECK(someone.book("a@b.example", system.at(30)).status == 200);
    redis.start();
    REQUIRE(eventually([&] { return connected("1"); }));
    CHECK(someone.book("a@b.example", system.at(30)).status == 200);
    CHECK(someone.book("a@b.example", system.at(30)).status == 429); // Redis has counted two
    CHECK(someone.harness.metrics().find("recruiting_rate_limit_local_total 6") != std::string::npos);
}

TEST_CASE("instances share their counts through Redis", "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis redis;
    visitor one(system, with_redis(redis.url()));
    visitor other(system, with_redis(redis.url()));
    for (auto* each : {&one, &other})
        REQUIRE(eventually([&] { return each->harness.metrics().find("redis_connections 1") != std::string::npos; }));
    for (int i = 0; i < 5; ++i) REQUIRE((i % 2 == 0 ? one : other).book("a@b.example", system.at(30)).status == 200);
    CHECK(one.book("a@b.example", system.at(30)).status == 429);
    CHECK(other.book("a@b.example", system.at(30)).status == 429);
}

TEST_CASE("an unknown job or stage is refused from memory before anything is counted", "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis redis;
    visitor someone(system, with_redis(redis.url()));
    REQUIRE(eventually([&] { return redis_is_connected(someone); }));
    auto const other = to_string(new_record_id());
    auto const book_at = [&](std::string const& where) {
        return visible(someone.post(where + "/bookings",
                                    R"({"email":"jo@example.com","slotStart":")" + format_time(system.at(30)) + "\"}",
                                    from("192.0.2.1")));
    };
    auto const stage = to_string(system.stage);
    auto const unknown = book_at(other + "/" + stage);
    CHECK(unknown.find(" 404 ") != std::string::npos);
    for (int i = 0; i < 20; ++i) {
        CHECK(book_at(to_string(new_record_id()) + "/" + stage) == unknown);
        CHECK(book_at(to_string(system.job) + "/" + to_string(new_record_id())) == unknown);
    }
    CHECK(redis.keys("*").empty());
    CHECK(someone.harness.metrics().find("limited_requests_total{limit=\"booking_address\"} 0") != std::string::npos);
    for (int i = 0; i < 5; ++i) REQUIRE(someone.book("jo@example.com", system.at(30), from("192.0.2.1")).status == 200);
    CHECK(someone.book("jo@example.com", system.at(30), from("192.0.2.1")).status == 429);
    CHECK(book_at(other + "/" + stage) == unknown); // nor does it show that the address was used
    CHECK(redis.keys("*").size() == 3);
}

TEST_CASE("no counter that one client can raise is ever visible to another, and none locks a candidate out",
          "[public_api][booking]") {
    booking_system system;
    auto const interviewer = system.add_interviewer();
    for (int const hours : {30, 31}) system.open_slot(interviewer, hours);
    system.add_candidate("jo@example.com");
    private_redis redis;
    visitor someone(system, [&](public_api::settings& config) {
        with_redis(redis.url())(config);
        config.booking.requests_per_email_total = 6;
    });
    REQUIRE(eventually([&] { return redis_is_connected(someone); }));
    auto const fresh = visible(someone.book("fresh@example.com", system.at(30), from("192.0.2.200")));
    // A stranger with as many networks as they like, in IPv4 and in IPv6, beyond every limit.
    for (auto const* email : {"jo@example.com", "nobody@example.com"})
        for (int network = 0; network < 10; ++network) {
            auto const number = std::to_string(10 + network);
            for (auto const& address : {"198.51." + number + ".1", "2001:db8:0:" + number + "00::1"})
                CHECK(visible(someone.book(email, system.at(31), from(address))) == fresh);
        }
    CHECK(
        system.value("SELECT string_agg(email || ' ' || n, ', ' ORDER BY email) FROM (SELECT email, count(*) AS n FROM "
                     "recruiting.booking_requests WHERE excess GROUP BY email) e") ==
        "jo@example.com 14, nobody@example.com 14");
    system.change("DELETE FROM recruiting.booking_requests");
    // The candidate's own network has its own count, and the candidate still books.
    for (int i = 0; i < 5; ++i)
        REQUIRE(visible(someone.book("jo@example.com", system.at(30), from("203.0.113.7"))) == fresh);
    CHECK(someone.book("jo@example.com", system.at(30), from("203.0.113.8")).status == 429);
    CHECK(visible(someone.book("jo@example.com", system.at(30), from("192.0.2.200"))) == fresh);
    system.work();
    CHECK(system.value("SELECT status || ' ' || (starts_at = '" + format_time(system.at(30)) +
                       "') FROM recruiting.bookings") == "confirmed true");
    CHECK(system.mails() == "candidate confirmed, interviewer confirmed");
}

TEST_CASE("what one limit refuses is not counted for all networks together, whichever instance is asked",
          "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis redis;
    visitor first(system, with_redis(redis.url()));
    visitor second(system, with_redis(redis.url()));
    REQUIRE(eventually([&] { return redis_is_connected(first) && redis_is_connected(second); }));
    for (int i = 0; i < 5; ++i) REQUIRE(first.book("jo@example.com", system.at(30)).status == 200);
    CHECK(second.book("jo@example.com", system.at(30)).status == 429);
    auto const total = redis.keys("bl:booking_address_total:*");
    REQUIRE(total.size() == 1);
    CHECK(redis.say({"GET", total.front()}) == "5");
}

TEST_CASE("the limits' keys in Redis are as small as documented", "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis redis;
    visitor someone(system, with_redis(redis.url()));
    REQUIRE(eventually([&] { return redis_is_connected(someone); }));
    for (int i = 0; i < 5; ++i)
        REQUIRE(someone
                    .book("a" + std::to_string(i) + "@b.example", system.at(30),
                          from("2001:db8:" + std::to_string(i) + "::1"))
                    .status == 200);
    for (std::string const limit : {"booking_client", "booking_address", "booking_address_total"})
        CHECK(eventually([&] { return redis.keys("bl:" + limit + ":*").size() == 5; })); // a slow Redis is not awaited
    CHECK(redis.keys("*").size() == 15);
    constexpr int documented_bytes = 104; // proto-docs/scaling.md
    for (auto const& key : redis.keys("*")) {
        CHECK(std::stoi(redis.say({"MEMORY", "USAGE", key})) <= documented_bytes);
        CHECK(std::stoi(redis.say({"TTL", key})) > 0);
    }
}

TEST_CASE("with RECRUITING_PUBLIC_API_REDIS_URL the limits' keys are apart from the rate limits",
          "[public_api][booking]") {
    booking_system system;
    system.open_slot(system.add_interviewer(), 30);
    private_redis of_gateway;
    private_redis of_booking;
    visitor someone(system, [&](public_api::settings& config) {
        with_redis(of_gateway.url())(config);
        config.own_redis = redis::parse_address(of_booking.url());
    });
    REQUIRE(eventually([&] { return redis_is_connected(someone); }));
    REQUIRE(someone.book("a@b.example", system.at(30)).status == 200);
    CHECK(eventually([&] { return of_booking.keys("*").size() == 3; }));
    CHECK(of_gateway.keys("*").empty());
}

} // namespace booking_test
