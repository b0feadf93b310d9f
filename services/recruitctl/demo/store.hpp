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
    void copy(std::string const& command, std::string const& lines);

    pg::client& client_;
};

} // namespace recruiting::recruitctl
