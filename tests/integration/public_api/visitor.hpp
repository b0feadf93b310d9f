// Somebody who books: the public API on an organization that interviews, and the requests that a visitor or the holder
// of an e-mailed link makes.
#pragma once
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"

#include <string>

namespace recruiting::test {

struct visitor {
    explicit visitor(booking_system& on, std::function<void(public_api::settings&)> const& change = {})
        : system(on), harness(on.database.public_url(), true, change), client(harness.port()) {}

    http_answer get(std::string const& path, std::string_view lines = {}) {
        return client.get(path.starts_with('/') ? path : "/api/public/v1/scheduling/" + path, lines);
    }
    http_answer post(std::string const& path, std::string const& body, std::string const& lines = {},
                     std::string const& type = "application/json") {
        auto const target = path.starts_with('/') ? path : "/api/public/v1/scheduling/" + path;
        client.send("POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\n" + lines +
                    "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        return client.receive();
    }

    http_answer slots(std::string const& query = {}) {
        return get(to_string(system.job) + "/" + to_string(system.stage) + "/slots" + query);
    }
    http_answer book(std::string const& email, timestamp start, std::string const& lines = {}) {
        return post(to_string(system.job) + "/" + to_string(system.stage) + "/bookings",
                    R"({"email":")" + email + R"(","slotStart":")" + format_time(start) + "\"}", lines);
    }

    booking_system& system;
    public_api_harness harness;
    http_client client;
};

/// A link to the only booking of that address, as the mailer makes them.
inline std::string make_link(booking_system& system, std::string const& email, std::string const& valid = "30 days") {
    auto const token = to_base64url(random_bytes(32));
    system.change(
        "INSERT INTO recruiting.booking_tokens (hash, join_hash, told_starts_at, organization_id, booking_id, "
        "expires_at) "
        "SELECT '\\x" +
        to_hex(bytes_of(sha256(token))) + "', '\\x" + to_hex(bytes_of(sha256(join_token_of(token)))) +
        "', b.starts_at, b.organization_id, b.id, now() + interval '" + valid +
        "' FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = b.candidate_id WHERE c.email = '" + email +
        "'");
    return token;
}

/// A link to another booking, all of whose links have expired; somebody has the slot in 30 hours.
inline std::string make_expired_link(booking_system& system) {
    system.add_candidate("late@example.com");
    system.ask("late@example.com", 30);
    system.work();
    return make_link(system, "late@example.com", "-1 second");
}

/// All of an answer that a caller can see, but what differs for every request and second.
inline std::string visible(http_answer const& answer) {
    auto all = answer.head + answer.body;
    for (auto const& field : {answer.header("x-request-id"), answer.header("date")})
        for (auto at = all.find(field); at != std::string::npos; at = all.find(field)) all.erase(at, field.size());
    return all;
}

} // namespace recruiting::test
