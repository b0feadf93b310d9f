// Which address gets a request.
#include "gateway/upstream/choice.hpp"
#include "support/catch.hpp"

#include <map>
#include <random>
#include <vector>

namespace upstream_choice_test {
using namespace recruiting::gateway;

namespace {

struct field {
    explicit field(std::vector<candidate> const& from) : list(from) {
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            list[i].id = i;
            pointers.push_back(&list[i]);
        }
    }
    int pick(tried_addresses const& tried = {}) {
        auto const* const one = choose(pointers, tried, static_cast<std::uint32_t>(random()));
        return one == nullptr ? -1 : static_cast<int>(one->id);
    }
    std::map<int, int> pick_many(int times) {
        std::map<int, int> counts;
        for (int i = 0; i < times; ++i) ++counts[pick()];
        return counts;
    }
    std::vector<candidate> list;
    std::vector<candidate*> pointers;
    std::mt19937 random{7};
};

constexpr auto healthy = address_rank::healthy;
constexpr auto doubtful = address_rank::doubtful;
constexpr auto trial = address_rank::trial;
constexpr auto down = address_rank::down;

tried_addresses tried_of(std::initializer_list<std::uint32_t> ids) {
    tried_addresses out;
    for (auto const id : ids) out.add(id);
    return out;
}

} // namespace

TEST_CASE("the address with the fewest requests under way is chosen", "[gateway][upstream]") {
    field f({{0, healthy, 100, 3}, {0, healthy, 100, 1}, {0, healthy, 100, 2}});
    CHECK(f.pick_many(100) == std::map<int, int>{{1, 100}});
    CHECK(f.pick(tried_of({1})) == 2);
    CHECK(f.pick(tried_of({1, 2})) == 0);
    CHECK(f.pick(tried_of({0, 1, 2})) == -1);
    CHECK(field({}).pick() == -1);
}

TEST_CASE("ties are spread evenly", "[gateway][upstream]") {
    field f({{}, {}, {}, {}});
    for (auto const& [id, count] : f.pick_many(4000)) {
        INFO(id);
        CHECK(count > 850);
        CHECK(count < 1150);
    }
}

TEST_CASE("a worse rank is used only when there is no better one", "[gateway][upstream]") {
    CHECK(field({{0, doubtful}, {0, healthy, 100, 50}, {0, trial}}).pick() == 1);
    CHECK(field({{0, doubtful, 100, 50}, {0, down}, {0, trial}}).pick() == 0);
    CHECK(field({{0, down}, {0, down}, {0, trial}}).pick() == 2);
    CHECK(field({{0, down}, {0, down}}).pick() == -1);
    CHECK(field({{0, healthy}, {0, doubtful}}).pick(tried_of({0})) == 1);
}

TEST_CASE("an address that may be at fault is chosen when its rank has no other", "[gateway][upstream]") {
    tried_addresses tried;
    tried.avoid(1);
    CHECK(field({{0, healthy, 100, 9}, {0, healthy}}).pick(tried) == 0);
    CHECK(field({{0, healthy, 10, 9}, {0, healthy}}).pick(tried) == 0);
    CHECK(field({{0, doubtful}, {0, healthy}}).pick(tried) == 1);
    CHECK(field({{0, down}, {0, healthy}}).pick(tried) == 1);
    tried.add(1);
    CHECK(field({{0, doubtful}, {0, healthy}}).pick(tried) == 0);
}

TEST_CASE("a trial is one request at a time", "[gateway][upstream]") {
    CHECK(field({{0, trial, 100, 1}, {0, down}}).pick() == -1);
    CHECK(field({{0, trial, 100, 1}, {0, trial}}).pick() == 1);
}

TEST_CASE("an address that returns gets its share of an equal part", "[gateway][upstream]") {
    field f({{0, healthy, 100, 5}, {0, healthy, 50, 0}, {0, healthy, 100, 5}});
    auto const part = f.pick_many(6000)[1]; // half of a third
    CHECK(part > 850);
    CHECK(part < 1150);
    CHECK(field({{0, healthy, 10, 0}}).pick() == 0); // there is no other
    CHECK(field({{0, healthy, 10, 4}, {0, healthy, 10, 0}}).pick_many(1000)[1] > 900);
}

} // namespace upstream_choice_test
