// The blocking client of recruitctl, of the console's changes and of the tests: one connection, transactions, COPY.
#pragma once
#include "pg/error.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::pg {

class known_servers;

struct client_options {
    std::string application_name{"recruitctl"};
    std::chrono::seconds connect_timeout{10}; // of one host; a connect_timeout in the URL takes precedence
    std::string options{};                    // of the session: "-c statement_timeout=4000 -c lock_timeout=2000"
    std::optional<std::chrono::steady_clock::time_point> deadline{}; // as set_deadline, for these too
    /// What the process knows of the servers: one that was replaced is then refused. None: every server is taken.
    std::shared_ptr<known_servers> servers{};
};

class client {
public:
    /// Tries the hosts one after the other. Throws connection_lost, with their texts but never the password;
    /// std::invalid_argument when url is no connection string.
    explicit client(std::string const& url, std::string const& application_name = "recruitctl");
    client(std::string const& url, client_options const& how);
    ~client();
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;

    /// One statement with parameters; prepared on first use. Throws query_error or connection_lost.
    rows run(std::string_view sql, params const& values = {});
    rows run(statement const& of) { return run(of.sql, of.params); }
    /// Any number of statements without parameters (migrations).
    void script(std::string const& sql);
    /// Another connection that shares `servers` has seen a later timeline: what this server acknowledges may be lost.
    [[nodiscard]] bool superseded() const noexcept;
    /// The backend that PostgreSQL named when this connected. A pooler in between names none that runs our statements.
    [[nodiscard]] int connected_pid() const noexcept;
    /// How long run() and script() wait for the server at most. What is not answered by then throws connection_lost, as
    /// does everything after it: this client is to be dropped. nullopt, as at the start: as long as the server lets
    /// others connect, for a statement may take hours; a silent server is noticed within 16 s.
    void set_deadline(std::optional<std::chrono::steady_clock::time_point> deadline) noexcept;

    /// COPY … FROM STDIN: start with the command, then text-format lines, then finish. A failure in between throws and
    /// leaves the transaction aborted.
    void copy_start(std::string const& command);
    void copy_send(std::string_view lines);
    std::int64_t copy_finish(); // rows copied

private:
    friend class transaction;
    struct state;
    std::unique_ptr<state> state_;
};

/// Does a server listen there and take connections by now? Says nothing about whether it would take ours. Waits some
/// seconds at most. Throws std::invalid_argument when url is no connection string.
[[nodiscard]] bool is_accepting(std::string const& url);

/// BEGIN now; COMMIT on commit(), ROLLBACK when left without it. A transaction within another one on the same client is
/// a savepoint of it: released on commit(), rolled back to when left without it.
class transaction {
public:
    explicit transaction(client& on);
    ~transaction();
    transaction(transaction const&) = delete;
    transaction& operator=(transaction const&) = delete;
    /// connection_lost: whether the server committed is not known.
    void commit();

private:
    void end(char const* outermost);

    client& client_;
    bool const nested_;
    bool open_{true};
};

/// A value in COPY's text format: \t, \n, \r and \ escaped.
void append_copy_text(std::string& line, std::string_view value);

} // namespace recruiting::pg
