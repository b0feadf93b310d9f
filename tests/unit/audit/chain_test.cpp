// The chain without a database: rows are sealed in memory, tampered with, and checked.
#include "audit/seal.hpp"
#include "audit/verify.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <span>

namespace chain_test {
using namespace recruiting;
using namespace recruiting::audit;

namespace {

uuid id_of(std::uint8_t kind, std::uint8_t number) {
    uuid id;
    id.bytes[0] = kind;
    id.bytes[15] = number;
    return id;
}

uuid const organization = id_of(1, 1);
timestamp const start_of_time{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

stored_event row_number(std::uint8_t number) {
    stored_event e;
    e.id = id_of(2, number);
    e.occurred_at = start_of_time + std::chrono::hours{number};
    e.organization_id = organization;
    e.actor_type = "api_key";
    e.action = "api.request";
    return e;
}

struct sealed {
    std::int64_t sequence{0};
    uuid id;
    timestamp occurred_at;
    digest hash{};
};

std::vector<sealed> seal(std::span<std::optional<stored_event> const> rows) {
    std::vector<sealed> out;
    std::string scratch;
    digest last = no_previous_hash;
    for (auto const& row : rows) {
        auto const sequence = static_cast<std::int64_t>(out.size()) + 1;
        last = chain_hash(bytes_of(last), row.value(), sequence, scratch);
        out.push_back({sequence, row->id, row->occurred_at, last});
    }
    return out;
}

// A chain of rows as the database would hold it, open to tampering.
struct sealed_chain {
    explicit sealed_chain(std::uint8_t length) {
        for (std::uint8_t i = 1; i <= length; ++i) rows.emplace_back(row_number(i));
        seals = seal(rows);
        head = {seals.back().sequence, seals.back().hash};
    }

    std::vector<std::string> check(std::optional<chain_start> start = {}, std::vector<kept_head> kept = {}) const {
        std::vector<std::string> found;
        chain_check check(organization, start, std::move(kept), [&](discrepancy const& p) {
            auto text = std::string(to_string(p.kind));
            if (p.sequence) text += " " + std::to_string(*p.sequence);
            if (p.last_sequence) text += "-" + std::to_string(*p.last_sequence);
            found.push_back(text);
        });
        for (std::size_t i = 0; i < seals.size(); ++i) {
            auto const& s = seals[i];
            check.add({s.sequence, s.id, s.occurred_at, bytes_of(s.hash)}, rows[i] ? &*rows[i] : nullptr);
        }
        check.finish(head);
        return found;
    }
    void erase(std::size_t from, std::size_t count) {
        auto const at = static_cast<std::ptrdiff_t>(from);
        auto const to = static_cast<std::ptrdiff_t>(from + count);
        seals.erase(seals.begin() + at, seals.begin() + to);
        rows.erase(rows.begin() + at, rows.begin() + to);
    }

    std::vector<std::optional<stored_event>> rows;
    std::vector<sealed> seals;
    std::optional<chain_end> head;
};

using discrepancies = std::vector<std::string>;

} // namespace

TEST_CASE("an untouched chain has no problems") { CHECK(sealed_chain(5).check().empty()); }

TEST_CASE("a changed row is found") {
    sealed_chain chain(5);
    chain.rows[2]->success = false;
    CHECK(chain.check() == discrepancies{"changed 3"});
}

TEST_CASE("a row sealed anew after a change is found by the row behind it") {
    sealed_chain chain(5);
    chain.rows[2]->success = false;
    std::string scratch;
    chain.seals[2].hash = chain_hash(bytes_of(chain.seals[1].hash), *chain.rows[2], 3, scratch);
    CHECK(chain.check() == discrepancies{"changed 4"});
}

TEST_CASE("a removed row is found, with its hash or without") {
    sealed_chain chain(5);
    chain.rows[2].reset();
    CHECK(chain.check() == discrepancies{"removed 3"});
    chain.erase(2, 2);
    CHECK(chain.check() == discrepancies{"removed 3-4"});
    sealed_chain beginning(5);
    beginning.erase(0, 1);
    CHECK(beginning.check() == discrepancies{"removed 1"});
}

TEST_CASE("reordered rows are found") {
    sealed_chain contents(5);
    std::swap(contents.rows[1], contents.rows[3]);
    CHECK(contents.check() == discrepancies{"changed 2", "changed 4"});
    sealed_chain seals(5);
    std::swap(seals.seals[1], seals.seals[3]);
    std::swap(seals.rows[1], seals.rows[3]);
    std::swap(seals.seals[1].sequence, seals.seals[3].sequence);
    CHECK(seals.check() == discrepancies{"changed 2", "changed 3", "changed 4", "changed 5"});
}

TEST_CASE("rows cut off the end are found by the head") {
    sealed_chain chain(5);
    chain.erase(3, 2);
    CHECK(chain.check() == discrepancies{"cut_off 4-5"});
    chain.head.reset();
    CHECK(chain.check() == discrepancies{"wrong_head 3"});
}

TEST_CASE("a head set back with the chain is found by the head kept elsewhere") {
    sealed_chain chain(5);
    kept_head const kept{*chain.head, {}};
    CHECK(chain.check({}, {kept}).empty());
    chain.erase(3, 2);
    chain.head = {3, chain.seals.back().hash};
    CHECK(chain.check().empty());
    CHECK(chain.check({}, {kept}) == discrepancies{"cut_off 4-5"});
}

TEST_CASE("a chain written anew is found by the head kept elsewhere") {
    sealed_chain chain(5);
    kept_head const kept{{4, chain.seals[3].hash}, {}};
    chain.rows[1]->success = false;
    chain.seals = seal(chain.rows);
    chain.head = {5, chain.seals.back().hash};
    CHECK(chain.check().empty());
    CHECK(chain.check({}, {kept}) == discrepancies{"wrong_head 4"});
}

TEST_CASE("a second row with the same sequence is found") {
    sealed_chain chain(3);
    chain.seals.insert(chain.seals.begin() + 1, chain.seals[1]);
    chain.rows.insert(chain.rows.begin() + 1, chain.rows[1]);
    CHECK(chain.check() == discrepancies{"added 2", "changed 2"});
}

TEST_CASE("a chain that retention shortened begins at its start") {
    sealed_chain chain(5);
    auto const boundary = chain.seals[2].occurred_at;
    chain_start const start{{2, chain.seals[1].hash}, boundary};
    kept_head const old{{1, chain.seals[0].hash}, chain.seals[0].occurred_at};
    kept_head const at_start{{2, chain.seals[1].hash}, chain.seals[1].occurred_at};
    chain.erase(0, 2);
    CHECK(chain.check(start, {old, at_start}).empty());
    CHECK(chain.check() == discrepancies{"removed 1-2"});
    auto const wrong = chain_start{{2, {9}}, boundary};
    CHECK(chain.check(wrong, {at_start}) == discrepancies{"wrong_head 2", "changed 3"});
    // A start claimed behind rows that retention could not have taken yet.
    kept_head const young{{1, chain.seals[0].hash}, boundary};
    CHECK(chain.check(start, {young}) == discrepancies{"removed 1"});
}

TEST_CASE("a seal kept by retention needs no row, if it is old enough") {
    sealed_chain chain(3);
    chain.rows[1].reset();
    chain_start start{{0, no_previous_hash}, chain.seals[2].occurred_at};
    CHECK(chain.check(start).empty());
    start.dropped_before = chain.seals[1].occurred_at;
    CHECK(chain.check(start) == discrepancies{"removed 2"});
}

TEST_CASE("a chain of which retention took everything is right") {
    sealed_chain chain(3);
    chain_start const start{{3, chain.seals[2].hash}, start_of_time + std::chrono::hours{99}};
    chain.erase(0, 3);
    CHECK(chain.check(start).empty());
    CHECK(chain.check() == discrepancies{"cut_off 1-3"});
}

} // namespace chain_test
