// recruitctl migrate beside traffic: sessions that hold locks, and those that must not wait behind a migration.
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace migrate_locks_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using namespace std::chrono_literals;
using recruiting::test::test_database;

namespace {

constexpr std::string_view read_jobs = "SELECT count(*) FROM recruiting.jobs";
constexpr std::string_view heartbeat = "SELECT recruiting.schema_version()";

std::vector<migration> with_one_more(std::string sql) {
    auto files = read_migrations(test::migrations_directory());
    auto const number = static_cast<int>(files.size()) + 1;
    files.push_back({number, "00" + std::to_string(number) + "_made_up.sql", std::move(sql), "checksum"});
    return files;
}

// A transaction that holds a lock until it is told to end.
class holder {
public:
    explicit holder(test_database& database, std::string const& sql = std::string(read_jobs))
        : client_(database.owner_url(), "the report of a year") {
        client_.script("BEGIN");
        client_.script(sql);
    }
    void end() { client_.script("COMMIT"); }
    int pid() { return static_cast<int>(client_.run("SELECT pg_backend_pid()").integer(0, 0)); }

private:
    pg::client client_;
};

// Another session's reads of the same table, as the programs send them; a read that waits for long fails.
class traffic {
public:
    explicit traffic(test_database& database, std::string_view read = read_jobs)
        : client_(database.owner_url(), "traffic"), read_(read) {
        client_.script("SET statement_timeout = '2500ms'");
        thread_ = std::thread([this] { run(); });
    }
    ~traffic() { finish(); }
    [[nodiscard]] bool went_on() {
        finish();
        return !failed_;
    }

private:
    void run() {
        try {
            while (!stop_) client_.run(read_);
        } catch (std::exception const&) {
            failed_ = true;
        }
    }
    void finish() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

    pg::client client_;
    std::string_view read_;
    std::atomic<bool> stop_{false};
    std::atomic<bool> failed_{false};
    std::thread thread_;
};

struct reports {
    std::atomic<int> count{0};
    std::mutex mutex;
    std::string last;

    lock_waiting waiting(std::chrono::milliseconds patience) {
        return {patience, [this](std::string const& sentence) {
                    std::lock_guard const lock(mutex);
                    last = sentence;
                    ++count;
                    count.notify_all();
                }};
    }
    void await(int number) {
        for (int seen = count; seen < number; seen = count) count.wait(seen);
    }
};

bool has_column(test_database& database, std::string const& name) {
    return database.owner()
        .run("SELECT EXISTS (SELECT FROM information_schema.columns WHERE table_schema = 'recruiting' "
             "AND table_name = 'jobs' AND column_name = $1)",
             pg::params{}.text(name))
        .boolean(0, 0);
}

// "", "invalid" or "valid"
std::string index_state(test_database& database, std::string const& name) {
    auto const found =
        database.owner().run("SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
                             "WHERE c.relname = $1",
                             pg::params{}.text(name));
    if (found.empty()) return "";
    return found.boolean(0, 0) ? "valid" : "invalid";
}

} // namespace

TEST_CASE("a migration behind a long SELECT does not stop other reads: it rolls back, names the session, tries again",
          "[migrate]") {
    test_database database;
    auto const files = with_one_more("ALTER TABLE recruiting.jobs ADD COLUMN made_up text;\n");
    holder report(database);
    traffic others(database);
    reports told;
    pg::client client(database.owner_url());
    auto migrating =
        std::async(std::launch::async, [&] { return apply_migrations(client, files, {}, told.waiting(5min)); });
    told.await(2);
    CHECK_FALSE(has_column(database, "made_up"));
    {
        std::lock_guard const lock(told.mutex);
        INFO(told.last);
        CHECK(told.last.find("_made_up.sql needs a lock that is held by session " + std::to_string(report.pid())) !=
              std::string::npos);
        CHECK(told.last.find("the report of a year") != std::string::npos);
        CHECK(told.last.find("tries again") != std::string::npos);
    }
    report.end();
    CHECK(migrating.get() == 1);
    CHECK(has_column(database, "made_up"));
    CHECK(others.went_on());
}

TEST_CASE("where PostgreSQL hides its locks from the owner, a migration waits as well", "[migrate]") {
    test_database database;
    database.apply("hide_statistics.sql");
    auto const files = with_one_more("ALTER TABLE recruiting.jobs ADD COLUMN made_up text;\n");
    holder report(database);
    reports told;
    pg::client client(database.owner_url());
    auto migrating =
        std::async(std::launch::async, [&] { return apply_migrations(client, files, {}, told.waiting(5min)); });
    told.await(2);
    CHECK(told.last.find("needs a lock that is held by another session") != std::string::npos);
    report.end();
    CHECK(migrating.get() == 1);
}

TEST_CASE("a migration that can't get its lock within --lock-wait fails, leaves no trace and says who holds the lock",
          "[migrate]") {
    test_database database;
    auto const folder = std::filesystem::temp_directory_path() / ("recruiting_migrate_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::copy(test::migrations_directory(), folder);
    auto const files = read_migrations(folder);
    auto number = std::to_string(files.size() + 1);
    number.insert(0, 4 - number.size(), '0');
    std::ofstream(folder / (number + "_made_up.sql")) << "ALTER TABLE recruiting.jobs ADD COLUMN made_up text;\n";
    holder report(database);
    settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()}};
    std::ostringstream out;
    std::ostringstream err;
    auto const call = [&](std::string const& wait) {
        return run(all_commands(), {"migrate", "--dir", folder.string(), "--lock-wait", wait}, environment, out, err);
    };
    CHECK(call("500ms") == failed);
    CHECK(err.str().find("_made_up.sql needs a lock that is held by session " + std::to_string(report.pid())) !=
          std::string::npos);
    CHECK(err.str().find("did not get it within 500ms") != std::string::npos);
    CHECK_FALSE(has_column(database, "made_up"));
    CHECK(call("long") == usage);
    report.end();
    CHECK(call("500ms") == done);
    CHECK(has_column(database, "made_up"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("an index is built CONCURRENTLY behind a long transaction, beside reads and writes", "[migrate]") {
    test_database database;
    auto const files = with_one_more("-- recruitctl: statement by statement\n"
                                     "CREATE INDEX CONCURRENTLY IF NOT EXISTS made_up ON recruiting.jobs (title);\n");
    holder report(database, "LOCK TABLE recruiting.jobs IN ROW EXCLUSIVE MODE");
    traffic others(database);
    pg::client client(database.owner_url());
    reports told;
    auto migrating =
        std::async(std::launch::async, [&] { return apply_migrations(client, files, {}, told.waiting(5min)); });
    // Half-built, and waiting for the transaction: what would stop reads for ever if it were in their way.
    auto const built = [&] { return index_state(database, "made_up") == "invalid"; };
    while (!built() && migrating.wait_for(20ms) != std::future_status::ready) {
    }
    CHECK(built());
    report.end();
    CHECK(migrating.get() == 1);
    CHECK(told.count == 0);
    CHECK(index_state(database, "made_up") == "valid");
    CHECK(others.went_on());
}

TEST_CASE("an INVALID index left by an interrupted build is dropped and made again by the next run", "[migrate]") {
    test_database database;
    std::string const build =
        "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS made_up ON recruiting.made_up_rows (n);\n";
    database.owner().script("CREATE TABLE recruiting.made_up_rows AS SELECT 1 AS n FROM generate_series(1, 2)");
    auto const files =
        with_one_more("-- recruitctl: statement by statement\n"
                      "CREATE INDEX CONCURRENTLY IF NOT EXISTS made_up_before ON recruiting.jobs (title);\n" +
                      build);
    try {
        apply_migrations(database.owner(), files);
        FAIL("it was applied");
    } catch (failure const& error) {
        CHECK(std::string(error.what()).find("Run recruitctl migrate again to continue") != std::string::npos);
    }
    REQUIRE(index_state(database, "made_up") == "invalid");
    REQUIRE(index_state(database, "made_up_before") == "valid");
    CHECK(compare(files, select_applied(database.owner())).back().state == migration_state::pending);
    database.owner().script("TRUNCATE recruiting.made_up_rows");
    CHECK(apply_migrations(database.owner(), files) == 1);
    CHECK(index_state(database, "made_up") == "valid");
    CHECK(compare(files, select_applied(database.owner())).back().state == migration_state::applied);
    CHECK(database.owner().run("SELECT current_setting('lock_timeout')").text(0, 0) == "0");
}

TEST_CASE("a second migrate that waits for the first does not hold up its CREATE INDEX CONCURRENTLY", "[migrate]") {
    test_database database;
    auto const files = with_one_more("-- recruitctl: statement by statement\n"
                                     "CREATE INDEX CONCURRENTLY IF NOT EXISTS made_up ON recruiting.jobs (title);\n");
    std::vector<std::future<int>> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(std::async(std::launch::async, [&] {
            pg::client client(database.owner_url());
            return apply_migrations(client, files);
        }));
    int applied = 0;
    for (auto& one : runs) applied += one.get();
    CHECK(applied == 1);
    CHECK(index_state(database, "made_up") == "valid");
}

TEST_CASE("migrate ends beside a transaction that has read schema_migrations, and beside a pg_dump of everything, and "
          "no heartbeat waits",
          "[migrate]") {
    test_database database;
    auto const* const pg_dump =
        "DO $$ DECLARE one regclass; BEGIN FOR one IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') "
        "AND relnamespace = 'recruiting'::regnamespace LOOP EXECUTE format('LOCK TABLE %s IN ACCESS SHARE MODE', one); "
        "END LOOP; END $$";
    auto const dumping = GENERATE(false, true);
    holder open(database, dumping ? pg_dump : "SELECT FROM recruiting.schema_migrations");
    traffic others(database, heartbeat);
    reports told;
    pg::client client(database.owner_url());
    auto const files = with_one_more("CREATE TABLE recruiting.made_up (n int);\n");
    auto migrating =
        std::async(std::launch::async, [&] { return apply_migrations(client, files, {}, told.waiting(5min)); });
    bool const ended = migrating.wait_for(60s) == std::future_status::ready;
    open.end(); // else what waits for it would do so for ever
    CHECK(ended);
    CHECK(migrating.get() == 1);
    CHECK(told.count == 0);
    CHECK(others.went_on());
}

} // namespace migrate_locks_test
