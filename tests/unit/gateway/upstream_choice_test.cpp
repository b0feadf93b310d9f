// Which address gets a request, by an invented clock.
#include "gateway/upstream/pool.hpp"
#include "support/catch.hpp"

#include <map>
#include <random>
#include <vector>

namespace upstream_choice_test {
using namespace recruiting::gateway;
using namespace std::chrono_literals;

namespace {

struct field {
    explicit field(std::vector<candidate> const& from) : list(from) {
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            list[i].id = i + 1;
            pointers.push_back(&list[i]);
        }
    }
    // Its position, or -1.
    int pick(tried_addresses const& tried = {}) {
        auto const* const one = choose(pointers, tried, now, static_cast<std::uint32_t>(random()));
        return one == nullptr ? -1 : static_cast<int>(one->id) - 1;
    }
    std::map<int, int> pick_many(int times) {
        std::map<int, int> counts;
        for (int i = 0; i < times; ++i) ++counts[pick()];
        return counts;
    }
    std::vector<candidate> list;
    std::vector<candidate*> pointers;
    circuit::time_point now{};
    std::mt19937 random{7};
};

constexpr auto ready = health_state::ready;
constexpr auto unready = health_state::unready;
constexpr auto refused = health_state::refused;
constexpr auto silent = health_state::silent;

constexpr tried_addresses failed_at(std::uint32_t position) { return {position + 1, false}; }
constexpr tried_addresses stale_at(std::uint32_t position) { return {position + 1, true}; }

} // namespace

TEST_CASE("the address with the fewest requests under way is chosen", "[gateway][upstream]") {
    field f({{0, ready, 3}, {0, ready, 1}, {0, ready, 2}});
    CHECK(f.pick_many(100) == std::map<int, int>{{1, 100}});
    CHECK(f.pick(failed_at(1)) == 2);
    CHECK(field(std::vector<candidate>()).pick() == -1);
    CHECK(field(std::vector<candidate>(1)).pick() == 0); // not yet checked
}

TEST_CASE("ties are spread evenly", "[gateway][upstream]") {
    field f(std::vector<candidate>(4));
    for (auto const& [id, count] : f.pick_many(4000)) {
        INFO(id);
        CHECK(count > 850);
        CHECK(count < 1150);
    }
}

TEST_CASE("an address that is not ready is used only when there is no better one", "[gateway][upstream]") {
    CHECK(field({{0, unready}, {0, ready, 50}, {0, refused}}).pick() == 1);
    CHECK(field({{0, unready, 50}, {0, silent}, {0, refused}}).pick() == 0);
    CHECK(field({{0, silent}, {0, refused}}).pick() == 1);
    CHECK(field({{0, silent}, {0, silent}}).pick() == -1);
    CHECK(field({{0, ready}, {0, unready}}).pick(failed_at(0)) == 1);
}

TEST_CASE("the second attempt goes to another address, or to none", "[gateway][upstream]") {
    CHECK(field({{0, ready, 9}, {0, ready}}).pick(failed_at(1)) == 0);
    CHECK(field({{0, ready}}).pick(failed_at(0)) == -1);
    CHECK(field({{0, ready, 9}, {0, ready}}).pick(stale_at(1)) == 0);
    CHECK(field({{0, unready}, {0, ready}}).pick(stale_at(1)) == 1); // its connection lay idle: it may be well
    CHECK(field({{0, ready}}).pick(stale_at(0)) == 0);
}

TEST_CASE("a failed connect opens the circuit of its address, and one request a pause tries it",
          "[gateway][upstream]") {
    field f({{0, ready}, {0, ready, 9}});
    auto& broken = f.list[0].circuit;
    broken.note_try(f.now);
    CHECK(f.pick() == 0); // closed: a try says nothing
    broken.note_failure(f.now);
    CHECK(f.pick() == 1);
    f.now += circuit::pause - 1ms;
    CHECK(f.pick() == 1);
    f.now += 1ms;
    CHECK(f.pick() == 0);
    broken.note_try(f.now);
    CHECK(f.pick() == 1); // while that one waits
    f.now += circuit::pause;
    CHECK(f.pick() == 0);
    broken.note_try(f.now);
    broken.close();
    CHECK(f.pick() == 0);
    broken.note_failure(f.now);
    f.list[1].circuit.note_failure(f.now);
    CHECK(f.pick() == -1);
}

} // namespace upstream_choice_test
