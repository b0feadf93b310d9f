// The segment is what is sent for reads that go together: their keys are authenticated by one statement, then each
// member's statements run with that member's rights alone. Records of one kind are read by one statement for all keys
// of one member. A state machine without I/O; shared_reads sends it.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "auth/authenticate_store.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace recruiting::auth_api {

/// What row-level security reads of a key, and nothing else (act_as).
struct rights_of_key {
    uuid member;
    recruiting::role role;
    friend bool operator==(rights_of_key const&, rights_of_key const&) = default;
};
[[nodiscard]] inline rights_of_key rights_of(auth::principal const& caller) { return {caller.member_id, caller.role}; }

struct shared_result {
    std::shared_ptr<auth::principal const> principal; // null: the credential is not known
    std::vector<pg::rows> rows;                       // of the caller's own statements, in their order
};

/// One read, from its arrival to its answer.
struct pending_read {
    auth::credential presented;
    std::vector<pg::statement> statements;
    /// The rights that the key had when it was last seen; none: it was not active, or is not known. Keys that are
    /// expected to have the same share them, and statements that are no part of their role's answer are not sent.
    std::optional<rights_of_key> expected{};
    coarse_clock::time_point since{};
    completion<shared_result> done{};
};

struct read_answer {
    shared_result result;
    /// False: the rights were not the expected ones, so that the rows are another key's or not all. The read runs
    /// again alone and with nothing expected, which is complete.
    bool complete{true};
};

class read_segment {
public:
    /// The reads stay where they are as long as the segment. Those of a session are of no other credential, and with
    /// composed statements they are of one organization.
    explicit read_segment(std::span<pending_read const> reads);

    [[nodiscard]] std::vector<pg::statement> take_statements();
    /// results: of all statements. Returns the answer of each read, in their order.
    [[nodiscard]] std::vector<read_answer> answers(std::span<pg::rows const> results) const;

private:
    struct sent_statement {
        pg::statement what;
        std::vector<uuid> records{}; // all that it reads
    };
    struct part {
        pg::statement const* of_read;
        std::optional<std::size_t> sent; // the statement with its rows; none: it was not sent
    };
    struct sent_read {
        std::size_t key;    // in keys_
        std::size_t acting; // the key whose rights its statements have
        std::vector<part> parts;
    };

    [[nodiscard]] std::size_t place_of(auth::credential const& key) const;
    void add_reads(std::span<pending_read const> of_same_rights);
    [[nodiscard]] std::size_t add_statement(pg::statement const& one, std::size_t first_of_rights);
    [[nodiscard]] std::vector<std::shared_ptr<auth::principal const>> read_principals(pg::rows const& found) const;

    std::vector<auth::credential> keys_; // each once
    std::vector<sent_statement> statements_;
    std::vector<sent_read> reads_;
};

} // namespace recruiting::auth_api
