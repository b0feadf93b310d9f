// Whether the connections of a process keep their sessions. A pooler that gives each transaction to whichever session
// is free (PgBouncer's pool_mode=transaction) loses timeouts, prepared statements and LISTEN, without an error.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace recruiting::pg {

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
    /// seen: what answered on the connection this time. direct: libpq was told the same pid when it connected, so that
    /// nothing is in between. True: the session is its own. Through a pooler that is only believed of a second answer.
    bool admit(void const* connection, backend const& seen, bool direct);
    /// The connection is gone. When all of them are, the pooler may come back with other settings.
    void forget(void const* connection);
    /// In words; empty: nothing is known to be wrong.
    [[nodiscard]] std::string fault() const;

private:
    [[nodiscard]] bool is_shared(void const* connection, backend const& seen) const;

    mutable std::mutex mutex_;
    std::map<void const*, backend> backends_; // of connections through a pooler
    bool shared_{false};
};

} // namespace recruiting::pg
