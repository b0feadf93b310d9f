#include "async/byte_buffer.hpp"
#include "gateway/client_counts.hpp"
#include "gateway/connections.hpp"
#include "gateway/http1/relay.hpp"
#include "support/catch.hpp"

#include <memory>

namespace connections_test {
using namespace recruiting;
using namespace recruiting::gateway;
using namespace std::chrono_literals;

namespace {

ip_address address(std::string_view text) { return parse_ip(text).value(); }

void put(byte_buffer& buffer, std::string_view text) {
    while (!text.empty()) {
        auto const room = buffer.prepare();
        auto const size = std::min(room.size(), text.size());
        std::copy_n(text.data(), size, room.data());
        buffer.commit(size);
        text.remove_prefix(size);
    }
}

} // namespace

// Counts are aligned to cache lines, which g++ 12's address sanitizer forgets of what stands on a stack.
TEST_CASE("connections of each client are counted until they end", "[gateway][connections]") {
    auto const on_heap = std::make_unique<client_counts>(2, 64);
    auto& table = *on_heap;
    auto const one = address("203.0.113.1");
    CHECK(table.enter(one));
    CHECK(table.enter(one));
    for (int i = 0; i < 3; ++i) CHECK_FALSE(table.enter(one)); // what is refused takes no place
    CHECK(table.enter(address("203.0.113.2")));
    table.leave(one);
    CHECK(table.enter(one));
    CHECK_FALSE(table.enter(one));
}

TEST_CASE("an IPv6 /56 may have twice, a /48 four times as many connections as a client", "[gateway][connections]") {
    auto const on_heap = std::make_unique<client_counts>(2, 64);
    auto& table = *on_heap;
    auto const enters = [&table](std::string_view client) {
        bool const full = table.is_full(address(client));
        bool const entered = table.enter(address(client));
        CHECK(full != entered);
        return entered;
    };
    for (std::string_view const client :
         {"2001:db8:1:11::1", "2001:db8:1:11::2", "2001:db8:1:12::1", "2001:db8:1:12::2"})
        CHECK(enters(client));
    CHECK_FALSE(enters("2001:db8:1:11::3"));
    CHECK_FALSE(enters("2001:db8:1:13::1"));
    for (std::string_view const client :
         {"2001:db8:1:111::1", "2001:db8:1:112::1", "2001:db8:1:211::1", "2001:db8:1:212::1"})
        CHECK(enters(client));
    CHECK_FALSE(enters("2001:db8:1:311::1"));
    CHECK(enters("2001:db8:2:11::1"));
    table.leave(address("2001:db8:1:11::1"));
    CHECK(enters("2001:db8:1:13::1")); // what was refused has left nothing behind
}

TEST_CASE("each client's connections are counted, however many clients there are", "[gateway][connections]") {
    auto const on_heap = std::make_unique<client_counts>(2, 64);
    auto& table = *on_heap;
    constexpr std::uint32_t clients = 2 * address_counts::most;
    auto const client = [](std::uint32_t number) {
        auto out = address("0.0.0.0");
        for (unsigned byte = 0; byte < 4; ++byte)
            out.bytes[12 + byte] = static_cast<std::uint8_t>(number >> (8 * byte));
        return out;
    };
    for (std::uint32_t i = 0; i < clients; ++i) REQUIRE(table.enter(client(i)));
    std::uint32_t counted = 0;
    for (std::uint32_t i = 0; i < clients; ++i) counted += table.enter(client(i)) && table.is_full(client(i)) ? 1U : 0U;
    CHECK(counted == clients);
    for (std::uint32_t i = 0; i < clients; ++i) table.leave(client(i));
    std::uint32_t kept = 0; // the second one of each
    for (std::uint32_t i = 0; i < clients; ++i)
        kept += !table.is_full(client(i)) && table.enter(client(i)) && table.is_full(client(i)) ? 1U : 0U;
    CHECK(kept == clients);
}

TEST_CASE("a table with room closes nothing", "[gateway][connections]") {
    CHECK(choose_victim(0, 16, {}) == victim::nobody);
    CHECK(choose_victim(14, 16, {14, 10s, 0}) == victim::nobody);
    CHECK(choose_victim(0, 1, {}) == victim::nobody);
}

TEST_CASE("when the table is nearly full, half requests go that are older than a second", "[gateway][connections]") {
    CHECK(choose_victim(15, 16, {1, 1s, 14}) == victim::unfinished);
    CHECK(choose_victim(15, 16, {15, 999ms, 0}) == victim::nobody);
    CHECK(choose_victim(15, 16, {0, 0s, 15}) == victim::nobody);
}

TEST_CASE("when the table is full, half requests go first, but for newcomers among many idle connections",
          "[gateway][connections]") {
    CHECK(choose_victim(16, 16, {1, 1s, 15}) == victim::unfinished);
    CHECK(choose_victim(16, 16, {1, 10ms, 15}) == victim::idle);
    CHECK(choose_victim(16, 16, {8, 10ms, 8}) == victim::unfinished);
    CHECK(choose_victim(16, 16, {16, 10ms, 0}) == victim::unfinished);
    CHECK(choose_victim(16, 16, {0, 0s, 1}) == victim::idle);
    CHECK(choose_victim(16, 16, {}) == victim::incoming);
}

TEST_CASE("a client is too slow below its rate per second of waiting, after its grace", "[gateway][relay]") {
    CHECK_FALSE(is_too_slow(0, 60s, 60s));
    CHECK_FALSE(is_too_slow(0, 60s + 999ms, 60s));
    CHECK(is_too_slow(511, 61s, 60s));
    CHECK_FALSE(is_too_slow(512, 61s, 60s));
    CHECK(is_too_slow(512 * 100 - 1, 160s, 60s));
}

TEST_CASE("buffers swap what they hold, and its bytes stay where they are", "[gateway][buffer]") {
    byte_buffer full;
    byte_buffer empty;
    put(full, "abc");
    full.consume(1);
    auto const* const at = full.view().data();
    empty.swap(full);
    CHECK(full.empty());
    CHECK(empty.view() == "bc");
    CHECK(empty.view().data() == at);
}

TEST_CASE("a buffer keeps what it holds while it moves, grows, widens and rests", "[gateway][buffer]") {
    byte_buffer buffer;
    std::string const text(byte_buffer::standard_size + 100, 'x');
    put(buffer, "head" + text);
    buffer.consume(4);
    CHECK(buffer.view() == text);
    buffer.rest();
    CHECK(buffer.view() == text);
    buffer.widen();
    CHECK(buffer.view() == text);
    CHECK(buffer.prepare().size() >= byte_buffer::wide_size - text.size());
    buffer.consume(text.size());
    buffer.rest();
    CHECK(buffer.empty());
    put(buffer, "again");
    CHECK(buffer.view() == "again");
}

TEST_CASE("a gather goes on where the last write ended", "[gateway][buffer]") {
    gather out;
    out.add("abc");
    out.add("");
    out.add("defg");
    out.advance(4);
    REQUIRE(out.rest().size() == 1);
    CHECK(out.rest().front() == "efg");
    CHECK_FALSE(out.done());
    out.advance(3);
    CHECK(out.done());
}

} // namespace connections_test
