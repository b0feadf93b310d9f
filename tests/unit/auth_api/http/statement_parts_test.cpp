// Templates of SQL: what stands for a name in braces.
#include "auth_api/http/statement_parts.hpp"
#include "support/catch.hpp"

namespace statement_parts_test {
using namespace recruiting;
using auth_api::statement_parts;

TEST_CASE("a part may name others, and a value is one parameter however often it is named", "[auth_api][list]") {
    statement_parts parts(pg::params().text("open"));
    parts.part("conditions", " AND j.status = $1{after}")
        .part("after", " AND j.id > {id}")
        .value("limit", "51", "::bigint")
        .value("id", "7", "");
    auto const filled = std::move(parts).fill("SELECT {id} FROM j WHERE true{conditions} LIMIT {limit}");
    REQUIRE(filled.sql == "SELECT $2 FROM j WHERE true AND j.status = $1 AND j.id > $2 LIMIT $3::bigint");
    std::vector<std::string> values;
    for (auto const& one : filled.params.values()) values.push_back(one.text.value());
    REQUIRE(values == std::vector<std::string>{"open", "7", "51"});
}

TEST_CASE("a value that the template does not name is no parameter", "[auth_api][list]") {
    statement_parts parts{{}};
    parts.value("limit", "51", "::bigint");
    REQUIRE(std::move(parts).fill("SELECT 1").params.size() == 0);
}

TEST_CASE("a name that no part has is a mistake", "[auth_api][list]") {
    statement_parts parts{{}};
    parts.part("limit", "1");
    REQUIRE_THROWS_AS(std::move(parts).fill("SELECT {limits}"), std::logic_error);
}

} // namespace statement_parts_test
