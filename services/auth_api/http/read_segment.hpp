// What a segment of reads sends, and which of its answers are whose: several keys are authenticated by one statement,
// then each member's statements run with that member's rights alone. Records of one kind are read by one statement for
// all keys of one member. A state machine without I/O; shared_reads sends it.
#pragma once
#include "auth/authenticate_store.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace recruiting::auth_api {

/// Row-level security reads nothing else of a key (act_as).
struct rights_of_key {
    uuid member;
    recruiting::role role;
    friend bool operator==(rights_of_key const&, rights_of_key const&) = default;
};
[[nodiscard]] inline rights_of_key rights_of(auth::principal const& caller) { return {caller.member_id, caller.role}; }

/// What one key asks for: the statements of each read. They stay where they are as long as the segment.
struct reads_of_key {
    auth::credential presented;
    std::vector<std::span<pg::statement const>> reads;
    /// Those it had when it was last seen. Keys of the same ones that follow each other share them, and what is no part
    /// of their role's answer is not sent.
    std::optional<rights_of_key> expected{};
};

struct answers_of_key {
    std::shared_ptr<auth::principal const> principal; // null: the credential is not known
    std::vector<std::vector<pg::rows>> reads; // the rows of each read's statements; none of one that was not sent
    bool complete{true}; // false: its rights are not the expected ones, and others or too few statements were sent
};

class read_segment {
public:
    /// A session: alone. Composed statements: with none of another organization.
    explicit read_segment(std::vector<reads_of_key> asked);

    [[nodiscard]] std::vector<pg::statement> take_statements() { return std::move(statements_); }
    /// results: of all statements. The answers of each key, in the order of those that asked.
    [[nodiscard]] std::vector<answers_of_key> answers(std::span<pg::rows const> results) const;

private:
    void add_rights(reads_of_key const& key, std::vector<digest> const& keys);
    void add_reads(std::span<reads_of_key const> of_same_rights);
    [[nodiscard]] std::shared_ptr<auth::principal const> principal_of(reads_of_key const& key,
                                                                      pg::rows const& found) const;

    std::vector<reads_of_key> asked_;
    bool of_several_{false};
    std::vector<pg::statement> statements_;
    std::vector<std::optional<std::size_t>> answered_by_; // of each read's statements, in order: which of those
};

} // namespace recruiting::auth_api
