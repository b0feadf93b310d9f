// A segment in progress in a pipeline: what was sent of it, and what PostgreSQL still owes. Used by pipeline.cpp only.
// A segment is a pipelined transaction; the metrics recruiting_postgres_pipelines_* count them.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct pg_conn;
struct pg_result;

namespace recruiting::pg {

// Which statements of one connection are prepared. Fixed texts stay prepared. Texts composed for a request (lists put
// theirs together from the filters given) have a bounded number of slots; the one used least recently is replaced. A
// state machine without I/O.
class prepared_statements {
public:
    struct limits {
        std::size_t fixed{512}; // more than the programs have; what comes after them is sent unprepared
        std::size_t composed{256};
    };
    struct slot {
        std::string name{};     // empty: send the text unprepared
        bool is_new{false};     // Parse comes first
        std::string replaced{}; // not empty: DEALLOCATE this one before
    };

    prepared_statements() : prepared_statements(limits{}) {}
    explicit prepared_statements(limits most) : most_(most) {}

    /// What the statements found from now on need is not replaced before the next begin_segment().
    void begin_segment() noexcept { ++segment_; }
    /// A text is sent unprepared while the Parse that another segment sent is not answered: it is not executed if that
    /// segment fails before.
    [[nodiscard]] slot find(statement const& what);
    /// The server has answered the Parse of that name. Only what is known to be there is ever replaced.
    void parsed(std::string_view name);
    void failed(std::string_view name);
    void clear();
    [[nodiscard]] std::size_t size() const noexcept { return by_text_.size(); }

private:
    struct entry {
        bool is_composed;
        std::string text;
        std::string name;
        std::uint64_t segment; // the last that uses it
        bool parsed{false};
    };
    using entries = std::list<entry>;
    using key = std::pair<bool, std::string_view>; // composed, text
    struct hash_key {
        std::size_t operator()(key const& of) const noexcept { return std::hash<std::string_view>{}(of.second); }
    };

    [[nodiscard]] bool make_room(bool is_composed, std::string& replaced);
    [[nodiscard]] entries::iterator find_name(std::string_view name);
    void erase(entries::iterator which);

    limits most_;
    entries used_; // the latest use first
    std::unordered_map<key, entries::iterator, hash_key> by_text_;
    std::size_t composed_{0};
    std::uint64_t next_name_{0};
    std::uint64_t segment_{0};
};

using segment_results = std::vector<rows>;

struct segment_in_flight {
    /// One answer that PostgreSQL owes.
    struct expected {
        enum class of : std::uint8_t { statement, parse, deallocate } what{of::statement};
        std::string name{}; // of the prepared statement, for a Parse
    };

    completion<segment_results> done{};
    std::deque<expected> owed{};
    segment_results results{};
    std::exception_ptr error{};
    std::chrono::steady_clock::time_point began{std::chrono::steady_clock::now()};
    bool is_heartbeat{false};
    bool sets_session{false};
};

/// Queues the statements and a Sync on the connection; false: libpq refused, and the connection is lost.
[[nodiscard]] bool send_segment(pg_conn* connection, prepared_statements& prepared,
                                std::vector<statement> const& statements, segment_in_flight& segment);

/// Takes the next result of the segment. True: it was the Sync, and the segment is complete.
[[nodiscard]] bool take_result(pg_result* result, prepared_statements& prepared, segment_in_flight& segment);

} // namespace recruiting::pg
