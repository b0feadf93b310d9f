// migrate: brings the schema up to date, or reports its state.
#include "pg/schema_store.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/output.hpp"

#include <iomanip>
#include <ostream>
#include <thread>

namespace recruiting::recruitctl {
namespace {

constexpr std::string_view default_wait = "30s";
constexpr std::string_view default_lock_wait = "10m";
constexpr auto pause = std::chrono::milliseconds{200};

// A database that was started a moment ago may not answer yet.
void await_database(invocation& call) {
    auto const wait = call.duration("--wait", default_wait);
    auto const url = call.database_url();
    auto const deadline = std::chrono::steady_clock::now() + wait;
    bool is_reported = false;
    while (!pg::is_accepting(url) && std::chrono::steady_clock::now() < deadline) {
        if (!is_reported) call.err << "waiting for the database" << std::endl;
        is_reported = true;
        std::this_thread::sleep_for(pause);
    }
}

constexpr std::string_view select_pid = "SELECT pg_backend_pid()";

// Does a pooler run this connection's transactions in changing sessions? A second connection holds the session that has
// just become free: then ours must be another one than before. One of the two finds the other's prepared statements,
// too, or misses its own.
bool changes_sessions(invocation& call) {
    auto const pid_of = [](pg::client& database) { return database.run(select_pid).integer(0, 0); };
    auto const first = pid_of(call.database());
    if (first == call.database().connected_pid()) return false;
    try {
        pg::client other(call.database_url());
        other.script("BEGIN");
        return pid_of(other) == first || pid_of(call.database()) != first;
    } catch (pg::query_error const& error) {
        if (error.sqlstate() != pg::duplicate_statement && error.sqlstate() != pg::undefined_statement) throw;
        return true;
    }
}

constexpr std::string_view select_encoding = "SELECT current_setting('server_encoding')";

// Another encoding can't hold every name, and lengths and search terms would count other characters.
void refuse_other_encodings(pg::client& database) {
    auto const found = database.run(select_encoding);
    if (found.text(0, 0) != "UTF8")
        throw failure("the database's encoding is " + std::string(found.text(0, 0)) +
                      " and must be UTF8: create another one with ENCODING 'UTF8' TEMPLATE template0");
}

int show_status(invocation& call, std::vector<migration_line> const& lines) {
    auto is_as_filed = true;
    boost::json::array list;
    table_rows table{{"migration", "state", "applied at"}};
    for (auto const& line : lines) {
        is_as_filed = is_as_filed && line.state <= migration_state::pending;
        list.push_back({{"number", line.number},
                        {"name", line.name},
                        {"state", to_string(line.state)},
                        {"appliedAt", json_time(line.applied_at)}});
        table.push_back({line.name, std::string(to_string(line.state)), shown_time(line.applied_at)});
    }
    if (call.json()) print_json(call.out, {{"migrations", std::move(list)}});
    else print_table(call.out, table);
    return is_as_filed ? done : failed;
}

int apply(invocation& call, std::vector<migration> const& files) {
    boost::json::array list;
    auto const listener = [&](migration const& one, std::chrono::milliseconds took) {
        list.push_back({{"number", one.number}, {"name", one.name}, {"durationMs", took.count()}});
        if (!call.json()) call.out << one.name << " applied in " << took.count() << " ms" << std::endl;
    };
    lock_waiting waiting;
    waiting.limit = call.duration("--lock-wait", default_lock_wait);
    waiting.report = [&call](std::string const& sentence) { call.err << sentence << std::endl; };
    auto const count = apply_migrations(call.database(), files, listener, waiting);
    auto const& newest = files.back();
    if (call.json()) print_json(call.out, {{"version", newest.number}, {"applied", std::move(list)}});
    else if (count == 0) call.out << "up to date at " << newest.name << '\n';
    else call.out << count << " applied, now at " << newest.name << '\n';
    return done;
}

int migrate(invocation& call) {
    auto const files = read_migrations(migrations_directory(call));
    await_database(call);
    if (changes_sessions(call)) throw failure(pg::sessions_change);
    if (call.has("--status")) return show_status(call, compare(files, select_applied(call.database())));
    refuse_other_encodings(call.database());
    return apply(call, files);
}

} // namespace

std::filesystem::path migrations_directory(invocation const& call) {
    if (auto const given = call.find("--dir")) return *given;
    if (auto const set = call.setting("RECRUITING_MIGRATIONS_DIR")) return *set;
    std::error_code error;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
    auto const installed = program.parent_path().parent_path() / "share/recruiting/migrations";
    if (std::filesystem::is_directory(installed, error)) return installed;
    auto const built_from = std::filesystem::path(RECRUITING_SOURCE_DIR) / "deploy/migrations";
    if (std::filesystem::is_directory(built_from, error)) return built_from;
    throw usage_error("the migrations were not found: give --dir or RECRUITING_MIGRATIONS_DIR");
}

std::vector<command> migrate_commands() {
    return {{
        "migrate",
        "Apply pending database migrations.",
        {{"--status", "", "change nothing; list applied and pending migrations"},
         {"--dir", "DIRECTORY",
          "folder of the migrations (default: RECRUITING_MIGRATIONS_DIR, else beside the program)"},
         {"--wait", "DURATION", "maximum wait for a database that is starting (30s)"},
         {"--lock-wait", "DURATION", "maximum time per migration to get its locks (10m)"}},
        migrate,
        "Each migration runs in its own transaction; one that builds indexes runs statement by statement, and goes on\n"
        "where it ended. Concurrent recruitctl processes wait for one another.\n"
        "A migration waits at most 1s for a lock, so that no request queues behind it. Then it rolls back, pauses,\n"
        "reports the sessions that held locks meanwhile, and retries, for --lock-wait in each migration.\n"
        "It rejects a file that changed after it was applied, and a database newer than the files.",
    }};
}

} // namespace recruiting::recruitctl
