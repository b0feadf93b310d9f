// Whose turn it is: nobody's number of requests makes another wait for more than a turn of each.
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

// Takes one item a turn until nobody has one left; the turns end in the order they began.
template <class Queue>
std::string served(Queue& queue) {
    std::string order;
    while (auto const next = queue.begin_turn()) {
        order += std::to_string(queue.take(*next, 1, none).front()) + ' ';
        queue.end_turn(*next);
    }
    return order;
}

} // namespace

TEST_CASE("organizations take turns, however many one has waiting", "[auth_api][fair_queue]") {
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
    CHECK(queue.begin_turn() == owner(1));
    CHECK(queue.take(owner(1), 1, none).front() == 10);
    CHECK(queue.begin_turn() == owner(1));
    CHECK(queue.take(owner(1), 1, none).front() == 11);
    CHECK(!queue.begin_turn()); // a third would be its
    queue.push(owner(2), 20);
    CHECK(queue.begin_turn() == owner(2));
    CHECK(queue.take(owner(2), 1, none).front() == 20);
    queue.push(owner(3), 30);
    CHECK(!queue.begin_turn()); // three are under way
    queue.end_turn(owner(1));
    CHECK(queue.begin_turn() == owner(1)); // it stood before the third
    CHECK(queue.take(owner(1), 1, none).front() == 12);
    queue.end_turn(owner(2));
    CHECK(queue.begin_turn() == owner(3));
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
    CHECK(queue.begin_turn() == owner(1));
    CHECK(queue.take(owner(1), 1, none).front() == 10);
    CHECK(!queue.is_full_for(owner(1))); // what is under way does not wait
}

TEST_CASE("a turn takes what goes together, and leaves the order of the rest", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 16});
    for (int const item : {10, 21, 12, 23, 14, 16}) queue.push(owner(1), item);
    auto const even = [](int first, int other) { return first % 2 == other % 2; };
    CHECK(queue.begin_turn() == owner(1));
    CHECK(queue.take(owner(1), 3, even) == std::deque<int>{10, 12, 14});
    queue.end_turn(owner(1));
    CHECK(served(queue) == "21 23 16 ");
    queue.push(owner(2), 20);
    CHECK(queue.begin_turn() == owner(2));
    CHECK(queue.take(owner(2), 3, any) == std::deque<int>{20});
}

TEST_CASE("what waited too long is taken out, and its owner's turn with it", "[auth_api][fair_queue]") {
    fair_queue<int> queue({1, 1, 16});
    for (int const item : {1, 2, 8}) queue.push(owner(1), item);
    queue.push(owner(2), 3);
    CHECK(queue.take_late([](int item) { return item < 5; }) == std::deque<int>{1, 2, 3});
    CHECK(queue.waiting() == 1);
    CHECK(served(queue) == "8 ");
    queue.push(owner(2), 9);
    CHECK(served(queue) == "9 ");
}

} // namespace fair_queue_test
