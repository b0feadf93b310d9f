// Plans on large tables, for the tests that hold statements to them.
#pragma once
#include "pg/client.hpp"
#include "support/database.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::test {

class planner {
public:
    enum class program { auth_api, public_api, catalogue };

    planner(std::string const& url, program as);
    /// A member of the first organization, in this role.
    void become(std::string_view role);
    void set(std::string_view name, std::string_view value); // "role": recruiting.role
    /// The generic plan, a node a line.
    std::string explain(pg::statement const& what);
    /// How many rows of tables and indexes the statements look at, one after another in one transaction.
    std::int64_t rows_read(std::vector<pg::statement> const& statements);

private:
    std::string prepare(pg::statement const& what); // what to execute

    pg::client database_;
    int planned_{0};
};

enum class order { any, from_index };

/// No table is read from end to end; from_index: and nothing is sorted.
void check_plan(planner& plans, pg::statement const& what, order wanted);

/// Filled once for the whole test program.
[[nodiscard]] test_database& large_database();

} // namespace recruiting::test
