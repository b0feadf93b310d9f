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

std::string hash_text(std::string_view previous, stored_event const& row, std::int64_t sequence,
                      canonical_form form = canonical_form::record) {
    std::string scratch;
    auto const hash = chain_hash(previous, row, sequence, scratch, form);
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

TEST_CASE("the lines of versions 1 and 2 are these bytes") {
    std::string out;
    append_lines(out, sample(), 7);
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
    // Computed with Python's struct and hashlib.
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 7) ==
          "2065c3e7860d2c145b6d73925c35b12d14612b00c7b5c9f8dcfbb6f007db3536");
    CHECK(hash_text(std::string(32, '\xFF'), sample(), 7) ==
          "cb62655d160f7ca99c8675b2c8b86df6a023026f4d9711d9803bc735232f6557");
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 7, canonical_form::lines) ==
          "5dab393716d8bd1a4b601f29e5b153b9525ad0c385e964aa8a8bd98718431e2a");
    CHECK(hash_text(std::string(32, '\xFF'), sample(), 7, canonical_form::lines) ==
          "c68cf9c71ea758330e4133e5244e20970190e995d8626d83e59cd6fd2b078149");
}

TEST_CASE("every column and the sequence are in the hash, and NULL is not the empty text") {
    auto const form = GENERATE(canonical_form::record, canonical_form::lines);
    auto const original = hash_text(bytes_of(no_previous_hash), sample(), 7, form);
    CHECK(hash_text(bytes_of(no_previous_hash), sample(), 8, form) != original);
    auto const differs = [&](auto const& change) {
        auto row = sample();
        change(row);
        return hash_text(bytes_of(no_previous_hash), row, 7, form) != original;
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

TEST_CASE("a row with a count is of version 2, and no other row changes its bytes") {
    auto row = sample();
    std::string one;
    append_lines(one, row, 7);
    row.request_count = 540;
    std::string many;
    append_lines(many, row, 7);
    CHECK(many == "recruiting.audit/2\n" + one.substr(one.find('\n') + 1) + "request_count=3:540\n");
}

TEST_CASE("text moved from one column to the next changes the hash") {
    auto row = sample();
    row.target_type = "a";
    row.target_id = "b\nerror_code=1:c";
    auto moved = row;
    moved.target_id = "b";
    moved.error_code = "c";
    for (auto const form : {canonical_form::record, canonical_form::lines})
        CHECK(hash_text(bytes_of(no_previous_hash), row, 1, form) !=
              hash_text(bytes_of(no_previous_hash), moved, 1, form));
}

} // namespace canonical_test
