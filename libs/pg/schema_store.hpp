// Whether a connection works as the role that the program is made for, and whether the database's schema is new enough.
// Shared by the connections of a process: each asks when it is made and every few seconds (pipeline), all of them wait
// while the answer is no.
#pragma once
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "pg/service_role.hpp"

#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::pg {

// Whether the connections of a process keep their sessions. A pooler that gives each transaction to whichever session
// is free (PgBouncer's pool_mode=transaction) loses timeouts, prepared statements and LISTEN, without an error.

/// The server process behind a connection, as a statement sees it.
struct backend {
    std::int64_t pid{0};
    std::int64_t server_started{0}; // of two servers, processes may have the same number
    auto operator<=>(backend const&) const = default;
};

inline constexpr char const* sessions_change =
    "the database is reached through a pooler that changes sessions between transactions (PgBouncer with "
    "pool_mode=transaction or statement): use pool_mode=session, or a URL of PostgreSQL itself";

class session_check {
public:
    /// seen: what answered on the connection this time. direct: libpq got the same pid when it connected, so that
    /// nothing is in between. True: the session is its own. Through a pooler only a second answer is trusted.
    bool admit(void const* connection, backend const& seen, bool direct);
    /// A statement that a connection had prepared was not there, or another one had its name.
    void lost_statement();
    /// The connection is gone. When all of them are, the pooler may come back with other settings.
    void forget(void const* connection);
    /// In words; empty: nothing is known to be wrong.
    [[nodiscard]] std::string fault() const;

private:
    [[nodiscard]] bool is_shared(void const* connection, backend const& seen) const;
    void note_shared();

    mutable std::mutex mutex_;
    std::map<void const*, backend> backends_; // of connections through a pooler
    bool shared_{false};
};

/// The newest migration when this program was built.
[[nodiscard]] int newest_migration() noexcept;

class schema_gate {
public:
    explicit schema_gate(service_role const& role) : role_(role) {}

    // Asked in this order, in one segment. One row each.
    /// Which backend answers, and as whom. Needs no schema.
    [[nodiscard]] statement who() const;
    /// The number of the last migration applied, and which right is not as the migrations made it.
    [[nodiscard]] statement version() const;
    /// version: none when the statement failed for a reason of class 42 or 3F, whose SQLSTATE is why. True: the program
    /// can use this database.
    bool admit(rows const& who, std::optional<rows> const& version, std::string_view why = {});
    [[nodiscard]] static backend backend_of(rows const& who);
    [[nodiscard]] session_check& sessions() noexcept { return sessions_; }
    /// "schema is at 8, needs 9: run recruitctl migrate", or what is wrong with the sessions or the role; empty while
    /// nothing is known to be wrong.
    [[nodiscard]] std::string fault() const;

private:
    static constexpr int not_asked = -2;
    static constexpr int not_readable = -1;

    [[nodiscard]] std::string role_fault_of(rows const& who, std::optional<rows> const& version,
                                            std::string_view why) const;
    bool admit_role(std::string fault);
    bool admit_version(int version);

    service_role role_;
    mutable std::mutex mutex_;
    std::string role_fault_;
    std::atomic<int> seen_{not_asked};
    session_check sessions_;
};

/// Can the schema be the reason? Class 42: names that are not there, rights that are not given; 3F: no such schema.
[[nodiscard]] bool is_about_schema(std::string_view sqlstate) noexcept;

// What a connection's session is set to, by a statement instead of start-up parameters: PgBouncer refuses those.

/// "-c jit=off -c statement_timeout=1000", as PGOPTIONS has it. Throws std::logic_error: options are written by us.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parse_options(std::string_view options);
/// Sets them until the session ends.
[[nodiscard]] statement set_session(std::string_view options);

} // namespace recruiting::pg
