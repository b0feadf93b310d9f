// Round robin: no owner's number of requests makes another wait for more than a turn of each.
#include "auth_api/http/fair_queue.hpp"
#include "support/catch.hpp"

#include <string>

namespace fair_queue_test {
using namespace recruiting;
using auth_api::fair_queue;
using auth_api::fair_queue_limits;

namespace {

uuid owner(std::uint8_t number) {
    uuid id;
    id.bytes[0] = number;
    return id;
}

constexpr auto any = [](int, int) { return true; };
constexpr auto none = [](int, int) { return false; };

using turn = fair_queue<int>::turn;

// The owner and the items of the next turn; nobody's and none when none starts.
turn start(fair_queue<int>& queue, std::size_t most = 1, bool (*joins)(int, int) = none) {
    return queue.start_turn(most, joins).value_or(turn{});
}

// Takes one item per turn until none is left; the turns finish in the order they started.
std::string served(fair_queue<int>& queue) {
    std::string order;
    while (auto const next = queue.start_turn(1, none)) {
        order += std::to_string(next->items.front()) + ' ';
        queue.finish_turn(next->owner);
    }
    return order;
}

bool is(turn const& started, std::uint8_t number, std::deque<int> const& items) {
    return started.owner == owner(number) && started.items == items;
}

} // namespace

TEST_CASE("organizations are served round robin, however many items one has waiting", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 16});
    for (int i = 10; i < 16; ++i) queue.push(owner(1), i);
    queue.push(owner(2), 20);
    queue.push(owner(3), 30);
    queue.push(owner(2), 21);
    CHECK(queue.waiting() == 9);
    CHECK(served(queue) == "10 20 30 11 21 12 13 14 15 ");
    CHECK(queue.waiting() == 0);
}

TEST_CASE("one organization has no more turns at a time than it may", "[auth_api][fair_queue]") {
    fair_queue<int> queue({3, 2, 16});
    for (int i = 10; i < 14; ++i) queue.push(owner(1), i);
    CHECK(is(start(queue), 1, {10}));
    CHECK(is(start(queue), 1, {11}));
    CHECK(!queue.start_turn(1, none)); // it would be the owner's third
    queue.push(owner(2), 20);
    CHECK(is(start(queue), 2, {20}));
    queue.push(owner(3), 30);
    CHECK(!queue.start_turn(1, none)); // three are under way
    queue.finish_turn(owner(1));
    CHECK(is(start(queue), 1, {12})); // it stood before the third
    queue.finish_turn(owner(2));
    CHECK(is(start(queue), 3, {30}));
}

TEST_CASE("as many wait as may, of one and of all", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 2, 3});
    CHECK(!queue.is_full_for(owner(1)));
    queue.push(owner(1), 10);
    queue.push(owner(1), 11);
    CHECK(queue.is_full_for(owner(1)));
    CHECK(!queue.is_full_for(owner(2)));
    CHECK(!queue.is_full());
    queue.push(owner(2), 20);
    CHECK(queue.is_full());
    CHECK(is(start(queue), 1, {10}));
    CHECK(!queue.is_full_for(owner(1))); // what is under way does not wait
}

TEST_CASE("a turn takes what goes together, and leaves the order of the rest", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 16});
    for (int const item : {10, 21, 12, 23, 14, 16}) queue.push(owner(1), item);
    CHECK(is(start(queue, 3, [](int first, int other) { return first % 2 == other % 2; }), 1, {10, 12, 14}));
    queue.finish_turn(owner(1));
    CHECK(served(queue) == "21 23 16 ");
    queue.push(owner(2), 20);
    CHECK(is(start(queue, 3, any), 2, {20}));
}

TEST_CASE("what waited too long is taken out, and its owner leaves the rotation", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 16});
    for (int const item : {1, 2, 8}) queue.push(owner(1), item);
    queue.push(owner(2), 3);
    CHECK(queue.take_expired([](int item) { return item < 5; }) == std::deque<int>{1, 2, 3});
    CHECK(queue.waiting() == 1);
    CHECK(served(queue) == "8 ");
    queue.push(owner(2), 9);
    CHECK(served(queue) == "9 ");
}

} // namespace fair_queue_test
