// q, tag and the jobs' q find names whatever their letters, and the database folds each character as C++ does.
#include "core/text.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_client.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"
#include "support/search_samples.hpp"
#include "words/search_key.hpp"

#include <boost/json.hpp>

#include <unicode/uchar.h>

namespace search_folding_test {
using namespace recruiting;
using namespace recruiting::test;
using texts = std::vector<std::string>;

namespace {

struct named_records {
    named_records() {
        auto& owner = database.owner();
        auto const organization = make_organization(owner, slug).id;
        key = make_key(owner, slug, "admin@" + slug + ".example", {"*"}).secret;
        for (auto const& sample : search_samples) {
            owner.run("INSERT INTO recruiting.candidates (id, organization_id, name, tags) "
                      "VALUES (gen_random_uuid(), $1, $2, ARRAY[$2])",
                      pg::params().id(organization).text(sample.text));
            owner.run("INSERT INTO recruiting.jobs (id, organization_id, title) VALUES (gen_random_uuid(), $1, $2)",
                      pg::params().id(organization).text(sample.text));
        }
    }

    texts found(std::string const& list, std::string const& parameter, std::string const& words,
                std::string const& field) {
        auto const path = "/" + list + "?" + parameter + "=" + percent_encode(words);
        auto const answer = service.get(path, key);
        INFO(path << "\n" << answer.body.substr(0, 1000));
        REQUIRE(answer.status == 200);
        texts out;
        auto const body = boost::json::parse(answer.body);
        for (auto const& record : body.at("data").as_array()) out.emplace_back(record.at(field).as_string());
        return out;
    }

    test_database database;
    std::string slug = new_slug();
    std::string key;
    auth_api_harness service{database.auth_url()};
};

} // namespace

TEST_CASE("q finds candidates and jobs by the letters that people type", "[auth_api][search]") {
    named_records world;
    for (auto const& [text, queries] : search_samples)
        for (auto const& query : queries) {
            CAPTURE(text, query);
            CHECK(world.found("candidates", "q", query, "name") == texts{text});
            CHECK(world.found("jobs", "q", query, "title") == texts{text});
        }
    for (auto const& word : unfound_words) {
        CAPTURE(word);
        CHECK(world.found("candidates", "q", word, "name").empty());
        CHECK(world.found("jobs", "q", word, "title").empty());
    }
}

TEST_CASE("tag compares the whole tag, and no case or accent", "[auth_api][search]") {
    named_records world;
    for (auto const* const tag : {"Łucja Wałęsa", "lucja walesa", "LUCJA WALĘSA"})
        CHECK(world.found("candidates", "tag", tag, "name") == texts{"Łucja Wałęsa"});
    CHECK(world.found("candidates", "tag", "山田花子", "name") == texts{"山田花子"});
    CHECK(world.found("candidates", "tag", "花子", "name").empty());
    CHECK(world.found("candidates", "tag", "lucja", "name").empty());
}

TEST_CASE("PostgreSQL folds every character as C++ does", "[auth_api][search]") {
    test_database database;
    // Those of Unicode 14, which PostgreSQL 15 and later and ICU 72 and later have: no version changes what these mean.
    constexpr std::uint8_t newest = 14;
    std::int64_t compared = 0, different = 0;
    std::string first;
    auto const found = database.owner().run(
        "SELECT i, chr(i), recruiting.search_key(chr(i)), recruiting.search_key('aΣ' || chr(i) || 'Σ') "
        "FROM generate_series(1, 1114111) AS i WHERE i NOT BETWEEN 55296 AND 57343 AND i NOT BETWEEN 983040 AND "
        "1114111");
    for (auto row : found) {
        std::int64_t code_point{0};
        std::string character, key, key_inside;
        row.read(code_point, character, key, key_inside);
        UVersionInfo since{};
        u_charAge(static_cast<UChar32>(code_point), since);
        if (since[0] == 0 || since[0] > newest) continue;
        ++compared;
        if (key == search_key(character) && key_inside == search_key("aΣ" + character + "Σ")) continue;
        if (different++ == 0) first = std::to_string(code_point) + ": " + key + ", " + search_key(character);
    }
    CAPTURE(first);
    CHECK(different == 0);
    CHECK(compared > 140'000);
    // What is folded once stays as it is.
    CHECK(database.owner()
              .run("SELECT count(*) FROM generate_series(1, 55295) AS i "
                   "WHERE recruiting.search_key(recruiting.search_key(chr(i))) <> recruiting.search_key(chr(i))")
              .integer(0, 0) == 0);
}

} // namespace search_folding_test
