// Whether the database's schema is new enough for this program. Shared by the connections of a process: each asks when
// it is made and every few seconds (pipeline), all of them wait while it is too old.
#pragma once
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "pg/session_check.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::pg {

/// The newest migration when this program was built.
[[nodiscard]] int newest_migration() noexcept;

class schema_gate {
public:
    explicit schema_gate(int needed = newest_migration()) : needed_(needed) {}

    /// One row: the number of the last migration applied, and which backend answers.
    [[nodiscard]] static statement question();
    /// version: nothing when the database could not answer the question. True: the program can use this schema.
    bool admit(std::optional<int> version);
    /// Of an answer to question().
    [[nodiscard]] static backend backend_of(rows const& answer);
    [[nodiscard]] session_check& sessions() noexcept { return sessions_; }
    /// "schema is at 15, needs 18: run recruitctl migrate", or what is wrong with the sessions; empty while nothing is
    /// known to be wrong.
    [[nodiscard]] std::string fault() const;

private:
    static constexpr int not_asked = -2;
    static constexpr int not_readable = -1;

    int needed_;
    std::atomic<int> seen_{not_asked};
    session_check sessions_;
};

/// Can the schema be the reason? Class 42: names that are not there, rights that are not given; 3F: no such schema.
[[nodiscard]] bool is_about_schema(std::string_view sqlstate) noexcept;

} // namespace recruiting::pg
