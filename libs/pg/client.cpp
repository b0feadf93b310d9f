#include "pg/client.hpp"

#include "core/text.hpp"
#include "pg/connect.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"
#include "pg/url.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unordered_map>

namespace recruiting::pg {
namespace {

struct clear_result {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using result_handle = std::unique_ptr<PGresult, clear_result>;

// The time for one host: an operator waits no longer for one of several that hangs.
constexpr std::chrono::seconds operators_timeout{3};
// After this time without an answer a further connection is tried, for the server may be gone.
constexpr std::chrono::seconds question_pause{5};
constexpr int silences_of_a_lost_server = 2; // one may be a network's short fault

std::string first_line(std::string_view text) { return std::string(trim(text.substr(0, text.find('\n')))); }

void refuse_bad_url(std::string const& url) {
    if (auto const wrong = url_problem(url))
        throw std::invalid_argument("the database's connection string is wrong: " + *wrong);
}

std::string application_name_of(std::string const& url, client_options const& how) {
    auto const options = options_of(url).value_or(connection_options{});
    auto const own = options.find("application_name");
    return own == options.end() ? how.application_name : own->second;
}

// Class 08: connection exceptions; 57P01–57P03: shut down, crashed, starting.
bool is_outage(std::string_view sqlstate) { return sqlstate.starts_with("08") || sqlstate.starts_with("57P0"); }

[[noreturn]] void fail(PGconn* connection, PGresult const* result, std::string const& where = {}) {
    auto const sqlstate = error_field(result, PG_DIAG_SQLSTATE);
    auto message = error_field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (message.empty()) message = first_line(PQerrorMessage(connection));
    if (PQstatus(connection) == CONNECTION_BAD || is_outage(sqlstate)) throw connection_lost(message);
    // DETAIL is left out: it quotes the row's values, which belong into no log.
    throw query_error(sqlstate, message + where, error_field(result, PG_DIAG_CONSTRAINT_NAME));
}

std::string line_of(std::string const& sql, std::string const& position) {
    auto const offset = parse_number<std::size_t>(position); // in characters; good enough to count lines
    if (!offset) return {};
    auto const end = sql.begin() + static_cast<std::ptrdiff_t>(std::min(*offset, sql.size()));
    return " (line " + std::to_string(1 + std::count(sql.begin(), end, '\n')) + ")";
}

} // namespace

struct client::state {
    std::unique_ptr<PGconn, finish_connection> connection;
    std::unordered_map<std::string, std::string> prepared; // statement → its name

    std::shared_ptr<known_servers> servers; // shared with others, or none
    std::int64_t timeline{0};

    std::optional<std::chrono::steady_clock::time_point> deadline;
    bool given_up{false}; // an answer did not come in time: what comes later belongs to no statement
    bool is_in_transaction{false};

    PGconn* get() const noexcept { return connection.get(); }
    std::string const& prepare(std::string_view sql);
    result_handle execute(char const* sql);
    result_handle execute_prepared(std::string const& name, params const& values);
    result_handle receive(int sent);
    result_handle next_result();
    void wait_for_answer();
};

// Returns what PQexec would: the last result of what was sent, or the first error.
result_handle client::state::receive(int sent) {
    if (sent != 1) fail(get(), nullptr);
    result_handle last;
    while (auto next = next_result()) {
        if (!last || PQresultStatus(last.get()) != PGRES_FATAL_ERROR) last = std::move(next);
        auto const status = PQresultStatus(last.get());
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) break;
    }
    return last;
}

result_handle client::state::next_result() {
    while (PQisBusy(get()) == 1) {
        wait_for_answer();
        if (PQconsumeInput(get()) != 1) fail(get(), nullptr);
    }
    return result_handle{PQgetResult(get())};
}

// Returns when there may be something to read.
void client::state::wait_for_answer() {
    using namespace std::chrono;
    auto const is_readable_within = [this](milliseconds limit) {
        pollfd answer{PQsocket(get()), POLLIN, 0};
        return limit > 0ms && ::poll(&answer, 1, static_cast<int>(limit.count())) != 0;
    };
    if (deadline) {
        if (is_readable_within(ceil<milliseconds>(*deadline - steady_clock::now()))) return;
    } else {
        for (int silences = 0; silences < silences_of_a_lost_server; ++silences)
            if (is_readable_within(question_pause) || !is_silent(get())) return;
    }
    given_up = true;
    throw connection_lost("no reply in time");
}

result_handle client::state::execute(char const* sql) {
    if (given_up) throw connection_lost("no reply in time");
    return receive(PQsendQuery(get(), sql));
}

result_handle client::state::execute_prepared(std::string const& name, params const& values) {
    for (auto const& value : values.values()) // a text parameter would silently end at the NUL
        if (!value.binary && value.text && value.text->find('\0') != std::string::npos)
            throw query_error("22021", "text must not contain the character U+0000");
    bound_values const bound(values);
    return receive(PQsendQueryPrepared(get(), name.c_str(), bound.count(), bound.texts.data(), bound.lengths.data(),
                                       bound.formats.data(), 1));
}

std::string const& client::state::prepare(std::string_view sql) {
    if (given_up) throw connection_lost("no reply in time");
    std::string text(sql);
    if (auto const known = prepared.find(text); known != prepared.end()) return known->second;
    auto const name = "s" + std::to_string(prepared.size() + 1);
    auto const result = receive(PQsendPrepare(get(), name.c_str(), text.c_str(), 0, nullptr));
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
        fail(get(), result.get(), line_of(text, error_field(result.get(), PG_DIAG_STATEMENT_POSITION)));
    return prepared.emplace(std::move(text), name).first->second;
}

client::client(std::string const& url, std::string const& application_name)
    : client(url, client_options{.application_name = application_name, .connect_timeout = operators_timeout}) {}

client::client(std::string const& url, client_options const& how) : state_(std::make_unique<state>()) {
    refuse_bad_url(url);
    auto const servers = how.servers ? how.servers : std::make_shared<known_servers>();
    servers->read(url);
    connect_request const request{url, application_name_of(url, how), how.connect_timeout};
    auto made = connect_now(request, *servers);
    if (!made.connection) throw connection_lost(made.why.empty() ? "no server was available a moment ago" : made.why);
    state_->connection = std::move(made.connection);
    state_->deadline = how.deadline;
    script("SET TIME ZONE 0"); // UTC, also where PostgreSQL's host has no time zone data
    if (how.servers) {
        auto const answer = run(select_line);
        auto const line = read_line(answer[0]);
        if (auto const why_not = servers->refuse(line); !why_not.empty()) {
            servers->unusable(made.host, coarse_clock::now());
            throw connection_lost(why_not);
        }
        state_->servers = servers;
        state_->timeline = line.timeline;
    }
    if (how.options.empty()) return;
    auto const settings = set_session(how.options);
    run(settings);
}

client::~client() = default;
client::client(client&&) noexcept = default;
client& client::operator=(client&&) noexcept = default;

rows client::run(std::string_view sql, params const& values) {
    auto const& name = state_->prepare(sql);
    auto result = state_->execute_prepared(name, values);
    auto const status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(state_->get(), result.get());
    return rows{result.release()};
}

void client::script(std::string const& sql) {
    auto const result = state_->execute(sql.c_str());
    auto const status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_EMPTY_QUERY)
        fail(state_->get(), result.get(), line_of(sql, error_field(result.get(), PG_DIAG_STATEMENT_POSITION)));
    // A script may change what prepared statements return, which PostgreSQL answers with an error.
    if (state_->prepared.empty()) return;
    auto const deallocated = state_->execute("DEALLOCATE ALL");
    if (PQresultStatus(deallocated.get()) != PGRES_COMMAND_OK) fail(state_->get(), deallocated.get());
    state_->prepared.clear();
}

int client::connected_pid() const noexcept { return PQbackendPID(state_->get()); }

bool client::superseded() const noexcept {
    return state_->servers && state_->timeline != 0 && state_->servers->newest_timeline() > state_->timeline;
}

void client::set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline) noexcept {
    state_->deadline = deadline;
}

void client::copy_start(std::string const& command) {
    auto const result = state_->execute(command.c_str());
    if (PQresultStatus(result.get()) != PGRES_COPY_IN) fail(state_->get(), result.get());
}

void client::copy_send(std::string_view lines) {
    constexpr std::size_t piece = 1U << 20U; // libpq takes an int, and buffers what it takes
    for (; !lines.empty(); lines.remove_prefix(std::min(piece, lines.size()))) {
        auto const size = static_cast<int>(std::min(piece, lines.size()));
        if (PQputCopyData(state_->get(), lines.data(), size) != 1)
            throw connection_lost(first_line(PQerrorMessage(state_->get())));
    }
}

std::int64_t client::copy_finish() {
    if (PQputCopyEnd(state_->get(), nullptr) != 1) throw connection_lost(first_line(PQerrorMessage(state_->get())));
    rows copied;
    result_handle failed;
    while (auto result = state_->next_result()) {
        if (PQresultStatus(result.get()) == PGRES_COMMAND_OK) copied = rows{result.release()};
        else if (!failed) failed = std::move(result);
    }
    if (!failed) return copied.affected();
    // "COPY candidates, line 7, column email: "…"": the value is left out.
    auto const context = error_field(failed.get(), PG_DIAG_CONTEXT);
    fail(state_->get(), failed.get(), " (" + context.substr(0, context.find(':')) + ")");
}

bool is_accepting(std::string const& url) {
    refuse_bad_url(url);
    known_servers servers;
    servers.read(url);
    return is_accepting(url, servers);
}

transaction::transaction(client& on) : client_(on), nested_(on.state_->is_in_transaction) {
    client_.run(nested_ ? "SAVEPOINT nested" : "BEGIN");
    client_.state_->is_in_transaction = true;
}

transaction::~transaction() {
    if (!open_) return;
    try {
        if (nested_) client_.run("ROLLBACK TO SAVEPOINT nested");
        end("ROLLBACK");
    } catch (std::exception const&) { // the connection is gone, and with it the transaction
    }
}

void transaction::commit() {
    // PostgreSQL would answer COMMIT with a silent ROLLBACK.
    if (PQtransactionStatus(client_.state_->get()) == PQTRANS_INERROR)
        throw std::logic_error("a transaction with a failed statement can't be committed");
    end("COMMIT");
    open_ = false;
}

void transaction::end(char const* outermost) {
    client_.state_->is_in_transaction = nested_;
    client_.run(nested_ ? "RELEASE SAVEPOINT nested" : outermost);
}

void append_copy_text(std::string& line, std::string_view value) {
    for (char const c : value) {
        switch (c) {
        case '\t': line += "\\t"; break;
        case '\n': line += "\\n"; break;
        case '\r': line += "\\r"; break;
        case '\\': line += "\\\\"; break;
        default: line += c;
        }
    }
}

} // namespace recruiting::pg
