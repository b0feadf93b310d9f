#include "audit/seal.hpp"

#include "core/text.hpp"
#include "support/catch.hpp"

namespace canonical_test {
using namespace recruiting;
using namespace recruiting::audit;

namespace {

stored_event sample() {
    stored_event e;
    e.id = *parse_id("0193a4b5c6d77e8f9a0b1c2d3e4f5061");
    e.occurred_at = *parse_time("2026-01-31T09:30:00.123456Z");
    e.organization_id = *parse_id("0193a4b5c6d77e8f9a0b1c2d3e4f5062");
    e.credential_id = *parse_id("0123456789abcdef0123456789abcdef");
    e.credential_name = "warehouse=sync\n";
    e.actor_type = "api_key";
    e.actor_email = "";
    e.action = "api.request";
    e.method = "GET";
    e.endpoint = "/api/v1/jobs/{id}";
    e.path = "/api/v1/jobs/ü";
    e.status_code = 200;
    e.ip_address = "192.0.2.1/32";
    e.duration_ms = 12;
    return e;
}

std::string hash_text(std::string_view previous, stored_event const& row, std::int64_t sequence) {
    std::string scratch;
    auto const hash = chain_hash(previous, row, sequence, scratch);
    return to_hex(bytes_of(hash));
}

} // namespace

TEST_CASE("the canonical form of an audit row is these bytes") {
    std::string out;
    append_canonical(out, sample(), 7);
    CHECK(out == "recruiting.audit/1\n"
                 "sequence=1:7\n"
                 "id=32:0193a4b5c6d77e8f9a0b1c2d3e4f5061\n"
                 "occurred_at=27:2026-01-31T09:30:00.123456Z\n"
                 "organization_id=32:0193a4b5c6d77e8f9a0b1c2d3e4f5062\n"
                 "credential_id=32:0123456789abcdef0123456789abcdef\n"
                 "credential_name=15:warehouse=sync\n\n"
                 "actor_type=7:api_key\n"
                 "actor_member_id=-\n"
                 "actor_email=0:\n"
                 "actor_role=-\n"
                 "action=11:api.request\n"
                 "method=3:GET\n"
                 "endpoint=17:/api/v1/jobs/{id}\n"
                 "path=15:/api/v1/jobs/ü\n"
                 "target_type=-\n"
                 "target_id=-\n"
                 "status_code=3:200\n"
                 "success=4:true\n"
                 "error_code=-\n"
                 "required_scope=-\n"
                 "ip_address=12:192.0.2.1/32\n"
                 "user_agent=-\n"
                 "request_id=-\n"
                 "session_id=-\n"
                 "correlation_id=-\n"
                 "duration_ms=2:12\n");
}

TEST_CASE("the hash of a row is SHA-256 over the previous hash and the canonical form") {
    // Computed with hashlib from the bytes above.
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 7) ==
          "5dab393716d8bd1a4b601f29e5b153b9525ad0c385e964aa8a8bd98718431e2a");
    CHECK(hash_text(std::string(32, '\xFF'), sample(), 7) ==
          "c68cf9c71ea758330e4133e5244e20970190e995d8626d83e59cd6fd2b078149");
}

TEST_CASE("every column and the sequence are in the hash, and NULL is not the empty text") {
    auto const original = hash_text(bytes_of(no_previous_hash), sample(), 7);
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 8) != original);
    auto const differs = [&](auto const& change) {
        auto row = sample();
        change(row);
        return hash_text(bytes_of(no_previous_hash), row, 7) != original;
    };
    uuid const other = *parse_id("ffffffffffffffffffffffffffffffff");
    CHECK(differs([&](stored_event& e) { e.id = other; }));
    CHECK(differs([&](stored_event& e) { e.occurred_at += std::chrono::microseconds{1}; }));
    CHECK(differs([&](stored_event& e) { e.organization_id = other; }));
    CHECK(differs([&](stored_event& e) { e.credential_id = other; }));
    CHECK(differs([&](stored_event& e) { e.credential_name = "x"; }));
    CHECK(differs([&](stored_event& e) { e.actor_type = "member"; }));
    CHECK(differs([&](stored_event& e) { e.actor_member_id = other; }));
    CHECK(differs([&](stored_event& e) { e.actor_email.reset(); }));
    CHECK(differs([&](stored_event& e) { e.actor_role = ""; }));
    CHECK(differs([&](stored_event& e) { e.action = "x"; }));
    CHECK(differs([&](stored_event& e) { e.method = "x"; }));
    CHECK(differs([&](stored_event& e) { e.endpoint = "x"; }));
    CHECK(differs([&](stored_event& e) { e.path = "x"; }));
    CHECK(differs([&](stored_event& e) { e.target_type = "x"; }));
    CHECK(differs([&](stored_event& e) { e.target_id = "x"; }));
    CHECK(differs([&](stored_event& e) { e.status_code = 403; }));
    CHECK(differs([&](stored_event& e) { e.success = false; }));
    CHECK(differs([&](stored_event& e) { e.error_code = "x"; }));
    CHECK(differs([&](stored_event& e) { e.required_scope = "x"; }));
    CHECK(differs([&](stored_event& e) { e.ip_address = "192.0.2.1/24"; }));
    CHECK(differs([&](stored_event& e) { e.user_agent = "x"; }));
    CHECK(differs([&](stored_event& e) { e.request_id = "x"; }));
    CHECK(differs([&](stored_event& e) { e.session_id = other; }));
    CHECK(differs([&](stored_event& e) { e.correlation_id = other; }));
    CHECK(differs([&](stored_event& e) { e.duration_ms.reset(); }));
}

TEST_CASE("a row with a count is of version 2, and no other row changes its bytes") {
    auto row = sample();
    std::string one;
    append_canonical(one, row, 7);
    row.request_count = 540;
    std::string many;
    append_canonical(many, row, 7);
    CHECK(many == "recruiting.audit/2\n" + one.substr(one.find('\n') + 1) + "request_count=3:540\n");
    CHECK(hash_text(bytes_of(no_previous_hash), row, 7) != hash_text(bytes_of(no_previous_hash), sample(), 7));
}

TEST_CASE("text moved from one column to the next changes the hash") {
    auto row = sample();
    row.target_type = "a";
    row.target_id = "b\nerror_code=1:c";
    auto moved = row;
    moved.target_id = "b";
    moved.error_code = "c";
    CHECK(hash_text(bytes_of(no_previous_hash), row, 1) != hash_text(bytes_of(no_previous_hash), moved, 1));
}

} // namespace canonical_test
