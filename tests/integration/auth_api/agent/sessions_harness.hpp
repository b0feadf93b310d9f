// Sessions, runs and messages written by SQL, as their owners' members and keys would have left them, and what the API
// shows of them. The machinery that runs the agent has its own tests.
#pragma once
#include "integration/auth_api/harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace recruiting::test {

struct stored_run {
    std::string status{"completed"};
    std::string reply{"There are 3 open jobs."};
    std::string lease{"30 seconds"}; // from now, of a run in progress
    std::string started{"-1 minute"};
};

/// A member with a key of every scope.
struct key_holder {
    std::string email;
    std::string member_id;
    std::string credential_id;
    std::string secret;
};

class agent_sessions_fixture {
public:
    [[nodiscard]] key_holder member(std::string const& name, role held);
    /// As an administrator of members does: interviewers and viewers keep the keys they had.
    void set_role(key_holder const& of, std::string const& role);

    /// A session of one run; its id.
    std::string session(key_holder const& owner, std::string const& title, stored_run const& run = {});
    /// One more run, which then is the session's last; its id, undashed.
    std::string add_run(std::string const& session, stored_run const& run);
    /// At the end of the session, of its last run; its id.
    std::string add_message(std::string const& session, std::string const& role, std::string const& content,
                            std::string const& tool_calls = {}, std::string const& tool_name = {});

    [[nodiscard]] http_answer get(std::string const& path, key_holder const& by) const {
        return service_.get("/agent/sessions" + path, by.secret);
    }
    /// The data of a 200.
    [[nodiscard]] boost::json::value data(std::string const& path, key_holder const& by) const;
    [[nodiscard]] std::vector<std::string> titles(std::string const& query, key_holder const& by) const;
    /// The member of the first problem of a 400.
    [[nodiscard]] std::string refused_field(std::string const& path, key_holder const& by) const;

    [[nodiscard]] pg::client& owner() { return database_.owner(); }
    [[nodiscard]] std::string const& slug() const { return slug_; }

private:
    test_database database_;
    std::string slug_{new_slug()};
    directory::organization organization_{make_organization(database_.owner(), slug_)};
    auth_api_harness service_{database_.auth_url()};
};

} // namespace recruiting::test
