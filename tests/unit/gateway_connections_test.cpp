#include "gateway/connections.hpp"
#include "gateway/http1/byte_buffer.hpp"
#include "support/catch.hpp"

#include <memory>

using namespace recruiting;
using namespace recruiting::gateway;

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

// The table is aligned to cache lines, which g++ 12's address sanitizer forgets of what stands on a stack.
TEST_CASE("connections are counted in all and of each client, until they end", "[gateway][connections]") {
    auto const on_heap = std::make_unique<connection_table>();
    auto& table = *on_heap;
    auto const one = address("203.0.113.1");
    connection_permit kept(table);
    CHECK(kept.claim(one, 2));
    {
        connection_permit second(table);
        connection_permit third(table);
        CHECK(second.claim(one, 2));
        CHECK_FALSE(third.claim(one, 2));
        CHECK(third.claim(address("203.0.113.2"), 2));
        CHECK(table.total() == 3);
    }
    CHECK(table.total() == 1);
    connection_permit again(table);
    CHECK(again.claim(one, 2));
    connection_permit refused(table);
    CHECK_FALSE(refused.claim(one, 2));
}

TEST_CASE("a client that was refused gives no place back that it had not", "[gateway][connections]") {
    auto const on_heap = std::make_unique<connection_table>();
    auto& table = *on_heap;
    auto const one = address("2001:db8::1");
    connection_permit first(table);
    REQUIRE(first.claim(one, 1));
    for (int i = 0; i < 3; ++i) {
        connection_permit refused(table);
        CHECK_FALSE(refused.claim(one, 1));
    }
    connection_permit still(table);
    CHECK_FALSE(still.claim(one, 1));
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
