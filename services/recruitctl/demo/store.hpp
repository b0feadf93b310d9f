// The demo's statements. Records go by COPY into temporary tables and from there in one INSERT a table (PostgreSQL
// takes no COPY into tables with row-level security). The caller owns the transactions.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/demo/data.hpp"

#include <span>

namespace recruiting::recruitctl {

/// What is there of the demo.
struct demo_state {
    std::uint64_t jobs{0};
    std::uint64_t candidates{0};
    std::optional<uuid> job_id;       // of job 0
    std::optional<uuid> stage_id;     // the first stage of job 0 that can be booked
    std::optional<uuid> candidate_id; // of candidate 0
    std::string candidate_email;
};

class demo_store {
public:
    explicit demo_store(pg::client& on) : client_(on) {}

    /// One load at a time, until the transaction ends.
    void lock();
    /// Is there an organization of that slug which the demo did not make?
    [[nodiscard]] bool is_foreign(demo_organization const& wanted);
    /// Makes what is missing of organization, members and billing; returns the organization's id.
    [[nodiscard]] uuid ensure_organization(demo_organization const& wanted);
    /// The membership ids, in the members' order.
    [[nodiscard]] std::vector<uuid> ensure_members(uuid organization, std::vector<demo_member> const& members);
    void ensure_billing(uuid organization, demo_organization const& wanted, std::uint64_t seed);
    [[nodiscard]] demo_state state(uuid organization);

    /// Once a connection, before the first add_.
    void prepare();
    void add_jobs(uuid organization, std::vector<uuid> const& memberships, std::span<demo_job const> jobs);
    void add_candidates(uuid organization, std::span<demo_candidate const> candidates);
    /// Fresh statistics: plans made from those of empty tables are slow.
    void analyze();

private:
    pg::client& client_;
};

// Interview slots. Unlike the other records they follow the clock: there are always some to book.

/// Opens what is missing of the next two weeks, on working days of the organization's time zone, at the first bookable
/// stage of its first two published demo jobs. Returns how many were opened.
std::int64_t open_demo_slots(pg::client& client, uuid organization, std::string const& slug);

/// A time tomorrow or later that can be booked at this stage.
[[nodiscard]] std::optional<timestamp> find_demo_slot(pg::client& client, std::optional<uuid> stage);

// Records as lines of COPY's text format, in the order of the columns of their temporary tables.

struct demo_job_lines {
    std::string jobs, stages, teams;
};
struct demo_candidate_lines {
    std::string candidates, applications;
};

[[nodiscard]] demo_job_lines copy_lines_of(uuid organization, std::vector<uuid> const& memberships,
                                           std::span<demo_job const> jobs);
[[nodiscard]] demo_candidate_lines copy_lines_of(uuid organization, std::span<demo_candidate const> candidates);

} // namespace recruiting::recruitctl
