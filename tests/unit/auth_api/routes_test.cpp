// The route tables of the API and of the console, and what logs and audit rows show of their paths.
#include "auth_api/console/routes.hpp"
#include "auth_api/routes.hpp"
#include "http/loggable_path.hpp"
#include "support/catch.hpp"

namespace auth_routes_test {
using namespace recruiting;

TEST_CASE("audit rows show the words of every route", "[auth_api][log]") {
    for (auto const table : {auth_api::routes(), auth_api::console::routes()})
        for (auto const& row : table) CHECK(http::loggable_path(row.path) == row.path);
}

} // namespace auth_routes_test
