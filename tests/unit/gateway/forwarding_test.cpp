// What happens next to a request on its way to its service.
#include "gateway/forwarding.hpp"
#include "http/problem.hpp"
#include "support/catch.hpp"

namespace forwarding_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

client_request x;

void read(std::string const& line, std::string const& fields = {}) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: api.example\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x));
}

constexpr call_result unsent{};
constexpr call_result sent{.sent = true}; // something of an answer came, or time ran out
constexpr call_result ended{.sent = true, .silent = true};

forward_progress after(std::initializer_list<call_result> calls) {
    forward_progress progress{.has_permit = true};
    for (auto const& one : calls) {
        ++progress.calls;
        progress.outcome = one.outcome;
        progress.sent = progress.sent || one.sent;
        progress.last = one;
    }
    return progress;
}

forward_progress without_address(forward_progress progress) {
    progress.outcome = forward_outcome::no_address;
    return progress;
}

forward_step step_after(forward_outcome outcome) {
    read("GET /api/v1/me");
    return next_step(x, {.outcome = outcome, .has_permit = true, .calls = 1});
}

// "call" when the request goes to another address, else the code of the answer.
std::string next(std::string const& line, forward_progress const& progress, std::string const& fields = {}) {
    read(line, fields);
    auto const step = next_step(x, progress);
    if (step == forward_step::call) return "call";
    REQUIRE(step == forward_step::refuse);
    return std::string(to_string(error_of(x, progress).code));
}

} // namespace

TEST_CASE("a small body is awaited before a permit, and a permit before a call", "[gateway][forwarding]") {
    read("POST /api/v1/x", "Content-Length: 5\r\n");
    CHECK(next_step(x, {.awaits_body = true}) == forward_step::await_body);
    CHECK(next_step(x, {}) == forward_step::await_permit);
    CHECK(next_step(x, {.has_permit = true}) == forward_step::call);
}

TEST_CASE("nothing follows an answer, or the departure of the client", "[gateway][forwarding]") {
    CHECK(step_after(forward_outcome::answered) == forward_step::done);
    CHECK(step_after(forward_outcome::client_gone) == forward_step::done);
}

TEST_CASE("a request that its client or the gateway holds up is refused before any further step",
          "[gateway][forwarding]") {
    std::initializer_list<std::pair<forward_outcome, error_code>> const expected = {
        {forward_outcome::body_late, error_code::request_timeout},
        {forward_outcome::body_too_large, error_code::payload_too_large},
        {forward_outcome::body_malformed, error_code::invalid_request},
        {forward_outcome::trailers_too_large, error_code::headers_too_large},
        {forward_outcome::too_many_uploads, error_code::rate_limited},
        {forward_outcome::no_permit, error_code::service_unavailable},
        {forward_outcome::no_address, error_code::service_unavailable}};
    for (auto const& [outcome, code] : expected) {
        read("POST /api/v1/x");
        CHECK(next_step(x, {.outcome = outcome, .awaits_body = true}) == forward_step::refuse);
        CHECK(error_of(x, {.outcome = outcome}).code == code);
    }
    CHECK(error_of(x, {.outcome = forward_outcome::too_many_uploads}).retry_after_seconds == 1);
}

TEST_CASE("a request that was not sent goes to another address, whatever it is", "[gateway][forwarding]") {
    for (std::string const line : {"GET /api/v1/me", "POST /api/v1/agent/invoke", "PATCH /api/v1/x"}) {
        INFO(line);
        CHECK(next(line, after({unsent})) == "call");
        CHECK(next(line, after({unsent, unsent})) == "service_unavailable");
        CHECK(next(line, without_address(after({unsent}))) == "service_unavailable");
        CHECK(next(line, after({call_result{.body_gone = true}})) == "service_unavailable");
    }
}

TEST_CASE("a safe request that was sent is repeated once, when its service ended silently", "[gateway][forwarding]") {
    constexpr call_result without_body{.sent = true, .silent = true, .body_gone = true};
    for (std::string const line : {"GET /api/v1/me", "HEAD /api/v1/me"}) {
        INFO(line);
        CHECK(next(line, after({ended})) == "call");
        for (auto const& progress : {after({sent}), after({ended, ended}), after({ended, unsent}),
                                     without_address(after({ended})), after({without_body})})
            CHECK(next(line, progress) == "service_unavailable");
    }
}

TEST_CASE("a request with effects that was sent is never repeated", "[gateway][forwarding]") {
    for (auto const& call : {sent, ended}) {
        auto const progress = after({call});
        CHECK(next("POST /api/v1/agent/invoke", progress) == "outcome_unknown");
        CHECK(next("PATCH /api/v1/x", progress) == "outcome_unknown");
        CHECK(next("POST /api/v1/agent/invoke", progress, "Idempotency-Key: a\r\n") == "service_unavailable");
        CHECK(next("POST /api/public/v1/x", progress, "Idempotency-Key: a\r\n") == "outcome_unknown");
        CHECK(next("DELETE /api/v1/x", progress) == "service_unavailable");
        for (std::string const page : {"/careers/acme", "/interviews/tok3n", "/widget/v1.js"})
            CHECK(next("POST " + page, progress, "Idempotency-Key: a\r\n") == "outcome_unknown");
    }
}

TEST_CASE("the 503 after a service has seen a POST with an Idempotency-Key says that its outcome is unknown",
          "[gateway][forwarding]") {
    auto const answer = [](std::string const& line, forward_progress const& progress, std::string const& fields = {}) {
        REQUIRE(next(line, progress, fields) != "call");
        return error_of(x, progress);
    };
    std::string const invoke = "POST /api/v1/agent/invoke";
    std::string const key = "Idempotency-Key: a\r\n";
    for (auto const& progress : {after({sent}), after({ended}), after({ended, unsent})}) {
        auto const error = answer(invoke, progress, key);
        CHECK(error.code == error_code::service_unavailable);
        CHECK(error.message == http::outcome_unknown_with_key().message);
    }
    auto const never_sent = without_address(after({}));
    CHECK(answer(invoke, never_sent, key).message == http::not_forwarded().message);
    CHECK(answer("GET /api/v1/me", never_sent).message == http::not_forwarded().message);
    CHECK(answer("GET /api/v1/me", after({sent})).message.empty()); // the default, which says nothing of changes
    CHECK(answer(invoke, after({sent})).code == error_code::outcome_unknown);
}

} // namespace forwarding_test
