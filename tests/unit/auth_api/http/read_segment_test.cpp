// What a segment of reads sends, and whose statements stand behind which rights.
#include "auth_api/http/read_segment.hpp"
#include "support/catch.hpp"

#include <optional>
#include <string>
#include <vector>

namespace read_segment_test {
using namespace recruiting;
using namespace recruiting::auth_api;

namespace {

constexpr digest first{1};
constexpr digest second{2};

using statements = std::vector<pg::statement>;

pending_read read(digest const& key, statements asked, std::optional<rights_of_key> expected = std::nullopt) {
    return {key, std::move(asked), expected};
}

template <class... Reads>
std::vector<std::string> sent_by(Reads... reads) {
    std::vector<pending_read> all;
    (all.push_back(std::move(reads)), ...);
    std::vector<std::string> out;
    read_segment segment(all);
    for (auto const& one : segment.take_statements()) {
        auto const& values = one.params.values();
        if (one.sql == auth::authenticate(first).sql) out.emplace_back("authenticate");
        else if (one.sql == auth::authenticate_all({}).sql) out.emplace_back("authenticate all");
        else if (one.sql == auth::act_as(0).sql) out.push_back("act as " + values.at(0).text.value());
        else out.push_back(one.sql);
    }
    return out;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("one key is authenticated by itself", "[auth_api][read_segment]") {
    CHECK(sent_by(read(first, {{"a", {}}, {"b", {}}})) == texts{"authenticate", "a", "b"});
    CHECK(sent_by(read(first, {})) == texts{"authenticate"});
    CHECK(sent_by(read(first, {{"a", {}}}), read(first, {{"b", {}}})) == texts{"authenticate", "a", "b"});
}

TEST_CASE("several keys are authenticated together, and each statement stands behind its own key",
          "[auth_api][read_segment]") {
    statements const a{{"a", {}}};
    statements const b{{"b", {}}};
    CHECK(sent_by(read(first, a), read(second, b)) == texts{"authenticate all", "act as 1", "a", "act as 2", "b"});
    SECTION("also a key that comes twice, with the place of its first time") {
        CHECK(sent_by(read(first, a), read(second, b), read(first, b)) ==
              texts{"authenticate all", "act as 1", "a", "act as 2", "b", "act as 1", "b"});
    }
}

TEST_CASE("records are read together for one key only", "[auth_api][read_segment]") {
    statements const record{pg::read_record("record", uuid{})};
    CHECK(sent_by(read(first, record), read(first, record), read(second, record)) ==
          texts{"authenticate all", "act as 1", "record", "act as 2", "record"});
}

TEST_CASE("keys of the same rights that follow each other share them, and their records are read together",
          "[auth_api][read_segment]") {
    constexpr digest third{3};
    rights_of_key const recruiter{uuid{{1}}, role::recruiter};
    statements const a{pg::read_record("a", uuid{})};
    statements const b{{"b", {}}};
    CHECK(sent_by(read(first, a, recruiter), read(second, a, recruiter), read(second, b, recruiter),
                  read(third, b, recruiter)) == texts{"authenticate all", "act as 1", "a", "b", "b"});
    SECTION("not with a key of another member, of the same member in another role, or that was not seen yet") {
        for (auto const& other :
             {std::optional(rights_of_key{uuid{{2}}, role::recruiter}),
              std::optional(rights_of_key{recruiter.member, role::viewer}), std::optional<rights_of_key>()})
            CHECK(sent_by(read(first, b, recruiter), read(second, b, other), read(third, b, recruiter)) ==
                  texts{"authenticate all", "act as 1", "b", "act as 2", "b", "act as 3", "b"});
    }
    SECTION("keys that were not seen yet share nothing") {
        CHECK(sent_by(read(first, b), read(second, b)) == texts{"authenticate all", "act as 1", "b", "act as 2", "b"});
    }
}

TEST_CASE("a part that is no part of the expected role's answer is not sent", "[auth_api][read_segment]") {
    using callers = pg::statement::callers;
    statements parts{{"any", {}}, {"all", {}}, {"restricted", {}}};
    parts[1].part_for = callers::unrestricted;
    parts[2].part_for = callers::restricted;
    auto const expecting = [&](role of) { return read(first, parts, rights_of_key{{}, of}); };
    CHECK(sent_by(read(first, parts)) == texts{"authenticate", "any", "all", "restricted"});
    CHECK(sent_by(expecting(role::recruiter)) == texts{"authenticate", "any", "all"});
    CHECK(sent_by(expecting(role::viewer)) == texts{"authenticate", "any", "all"});
    CHECK(sent_by(expecting(role::hiring_manager)) == texts{"authenticate", "any", "restricted"});
}

} // namespace read_segment_test
