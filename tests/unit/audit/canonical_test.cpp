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

TEST_CASE("the canonical form of an audit row is PostgreSQL's binary form of its sequence and columns") {
    std::string out;
    append_record(out, sample(), 7);
    auto const* const expected = "0000001b"                                           // 27 fields
                                 "00000014000000080000000000000007"                   // sequence
                                 "00000b86000000100193a4b5c6d77e8f9a0b1c2d3e4f5061"   // id
                                 "000004a0000000080002ecaa80a21840"                   // occurred_at
                                 "00000b86000000100193a4b5c6d77e8f9a0b1c2d3e4f5062"   // organization_id
                                 "00000b86000000100123456789abcdef0123456789abcdef"   // credential_id
                                 "000000190000000f77617265686f7573653d73796e630a"     // credential_name
                                 "00000019000000076170695f6b6579"                     // actor_type
                                 "00000b86ffffffff"                                   // actor_member_id: NULL
                                 "0000001900000000"                                   // actor_email: empty
                                 "00000019ffffffff"                                   // actor_role: NULL
                                 "000000190000000b6170692e72657175657374"             // action
                                 "0000001900000003474554"                             // method
                                 "00000019000000112f6170692f76312f6a6f62732f7b69647d" // endpoint
                                 "000000190000000f2f6170692f76312f6a6f62732fc3bc"     // path
                                 "00000019ffffffff"                                   // target_type
                                 "00000019ffffffff"                                   // target_id
                                 "000000150000000200c8"                               // status_code
                                 "000000100000000101"                                 // success
                                 "00000019ffffffff"                                   // error_code
                                 "00000019ffffffff"                                   // required_scope
                                 "000003650000000802200004c0000201"                   // ip_address
                                 "00000019ffffffff"                                   // user_agent
                                 "00000019ffffffff"                                   // request_id
                                 "00000b86ffffffff"                                   // session_id
                                 "00000b86ffffffff"                                   // correlation_id
                                 "00000017000000040000000c"                           // duration_ms
                                 "00000014ffffffff";
    CHECK(to_hex(out) == expected);
}

TEST_CASE("an address is IPv4 or IPv6 as PostgreSQL has it, with the length of its prefix") {
    auto const address = [](std::string_view text) {
        auto row = sample();
        row.ip_address.emplace(text);
        std::string out;
        append_record(out, row);
        auto const hex = to_hex(out);
        auto const at = hex.find("00000365") + 8;
        return hex.substr(at, 8 + 2 * std::stoul(hex.substr(at, 8), nullptr, 16));
    };
    CHECK(address("192.0.2.1") == "0000000802200004c0000201");
    CHECK(address("192.0.2.1/32") == "0000000802200004c0000201");
    CHECK(address("192.0.2.1/24") == "0000000802180004c0000201");
    CHECK(address("2001:db8::1") == "000000140380001020010db8000000000000000000000001");
    CHECK(address("2001:db8::1/64") == "000000140340001020010db8000000000000000000000001");
    CHECK(address("::ffff:192.0.2.1") == "000000140380001000000000000000000000ffffc0000201");
}

TEST_CASE("the hash of a row is SHA-256 over the previous hash and the canonical form") {
    // Computed with Python's struct and hashlib.
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 7) ==
          "2065c3e7860d2c145b6d73925c35b12d14612b00c7b5c9f8dcfbb6f007db3536");
    CHECK(hash_text(std::string(32, '\xFF'), sample(), 7) ==
          "cb62655d160f7ca99c8675b2c8b86df6a023026f4d9711d9803bc735232f6557");
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
    CHECK(differs([&](stored_event& e) { e.request_count = 1; }));
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
