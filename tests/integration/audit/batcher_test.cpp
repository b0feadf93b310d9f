// Group commit: one bad row costs nobody else an answer.
#include "audit/batcher.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace batcher_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

audit::event row_of(uuid const& organization, std::string path) {
    audit::event row;
    row.organization_id = organization;
    row.action = "test.batch";
    row.path = std::move(path);
    return row;
}

} // namespace

TEST_CASE("rows of one batch are committed but for the one that PostgreSQL refuses", "[audit][batcher]") {
    test_database database;
    auto const organization = make_organization(database.owner(), new_slug());
    asio::io_context context{1};
    ticker clock(context, std::chrono::milliseconds{10});
    pg::pipeline_settings settings;
    settings.url = database.auth_url();
    pg::pipeline connection(context, clock, settings);
    metrics::registry metrics;
    audit::batcher batcher(context, connection, metrics);
    int written = 0;
    int refused = 0;
    auto const write_one = [&](int i) -> task<void> {
        auto row = row_of(organization.id, i == 5 ? "\xff is no UTF-8" : "/api/v1/me");
        bool ok = true;
        try {
            ok = co_await batcher.write(std::move(row));
        } catch (outage const&) {
            ok = false;
        }
        ++(ok ? written : refused);
        if (written + refused == 20) context.stop();
    };
    auto const begin = [&]() -> task<void> {
        while (!connection.ready()) co_await sleep_for(std::chrono::milliseconds{5});
        for (int i = 0; i < 20; ++i) spawn(context, write_one(i));
    };
    spawn(context, begin());
    context.run_for(std::chrono::seconds{10});
    REQUIRE(written == 19);
    REQUIRE(refused == 1);
    REQUIRE(database.owner().run("SELECT count(*) FROM audit_rows WHERE action = 'test.batch'").integer(0, 0) == 19);
}

} // namespace batcher_test
