// The agent's toolbox on the test's own thread, in an organization with members of every role, jobs and candidates.
#pragma once
#include "auth_api/agent/tools/read_tool.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/auth_api/harness.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <string>
#include <vector>

namespace recruiting::test {

/// The connections a toolbox needs, and the toolbox.
struct running_tools {
    running_tools(event_loop& loop, std::string const& url, auth_api::agent::agent_settings of = {});
    /// Reads and changes each by a way of their own.
    running_tools(event_loop& loop, std::string const& url, std::string const& reads_url,
                  std::string const& changes_url, auth_api::agent::agent_settings of = {});

    auth_api::agent::agent_settings settings;
    metrics::registry metrics;
    http::token_signer signer{"a secret of thirty-two bytes or so"}; // auth_api_harness's
    pg::pipeline reads;
    auth_api::shared_reads shared;
    pg::pipeline changes;
    pg::pipeline audit_connection;
    audit::batcher audit;
    std::unique_ptr<auth_api::agent::toolbox> toolbox;
};

/// A hiring team of the manager's on the first of two jobs, each with a stage and a candidate.
class agent_organization {
public:
    explicit agent_organization(auth_api::agent::agent_settings settings = {});

    [[nodiscard]] std::string email(role held) const { return std::string(to_string(held)) + "@" + slug + ".example"; }
    /// An active key's secret; the role's member is made when needed. Viewers' keys were made when they were
    /// recruiters.
    std::string key(role held, std::vector<std::string> const& scopes = {"*"}, std::string const& name = {});
    void set_role(std::string const& email, role held);

    /// A run of the key's, in progress with its lease held, and its prompt.
    auth_api::agent::run_context begin_run(std::string const& secret, std::string const& prompt = "What is new?");
    auth_api::agent::tool_result call(auth_api::agent::run_context const& run, std::string const& name,
                                      std::string const& arguments = "{}");
    auth_api::agent::tool_result call(running_tools& with, auth_api::agent::run_context const& run,
                                      std::string const& name, std::string const& arguments = "{}");
    /// call's content, for a run of its own.
    std::string ask(std::string const& secret, std::string const& name, std::string const& arguments = "{}");
    /// How many audit rows hold the condition.
    std::int64_t audited(std::string const& condition);
    std::int64_t number(std::string const& sql) { return database.owner().run(sql).integer(0, 0); }

    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string own_job, other_job, stage, candidate; // of the manager's team; the stage and candidate are own_job's
    event_loop loop;
    running_tools tools;

private:
    void fill();
};

} // namespace recruiting::test
