// The blocking client of recruitctl and the tests: one connection, transactions, COPY.
#pragma once
#include "pg/error.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace recruiting::pg {

class client {
public:
    /// Throws connection_lost, with the server's text but never the password; std::invalid_argument when url is no
    /// connection string.
    explicit client(std::string const& url, std::string const& application_name = "recruitctl");
    ~client();
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;

    /// One statement with parameters; prepared on first use. Throws query_error or connection_lost.
    rows run(std::string_view sql, params const& values = {});
    /// Any number of statements without parameters (migrations).
    void script(std::string const& sql);
    /// The backend that PostgreSQL named when this connected. A pooler in between names none that runs our statements.
    [[nodiscard]] int connected_pid() const noexcept;
    /// A statement failed in the open transaction: PostgreSQL would answer COMMIT with a silent ROLLBACK.
    [[nodiscard]] bool transaction_failed() const noexcept;

    /// COPY … FROM STDIN: start with the command, then text-format lines, then finish. A failure in between throws and
    /// leaves the transaction aborted.
    void copy_start(std::string const& command);
    void copy_send(std::string_view lines);
    std::int64_t copy_finish(); // rows copied

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Does a server listen there and take connections by now? Says nothing about whether it would take ours. Waits some
/// seconds at most. Throws std::invalid_argument when url is no connection string.
[[nodiscard]] bool is_accepting(std::string const& url);

/// BEGIN now; COMMIT on commit(), ROLLBACK when left without it.
class transaction {
public:
    explicit transaction(client& on);
    ~transaction();
    transaction(transaction const&) = delete;
    transaction& operator=(transaction const&) = delete;
    void commit();

private:
    client& client_;
    bool open_{true};
};

/// A value in COPY's text format: \t, \n, \r and \ escaped.
void append_copy_text(std::string& line, std::string_view value);

} // namespace recruiting::pg
