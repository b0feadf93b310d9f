// An organization with jobs, candidates, teams and interviewers that tests of syncs change.
#pragma once
#include "support/database.hpp"
#include "support/directory.hpp"

#include <string>
#include <vector>

namespace recruiting::test {

class sync_recruiting {
public:
    /// Jobs J0, J1, … with the stages S0 and S1 each; candidates C0, C1, …; no applications.
    sync_recruiting(int jobs, int candidates);

    [[nodiscard]] std::string email(std::string const& member) const { return member + "@" + slug + ".example"; }
    void add_member(std::string const& name, role held);
    [[nodiscard]] std::string key(std::string const& member, std::vector<std::string> const& scopes = {"*"});
    [[nodiscard]] std::string id(std::string const& table, std::string const& external_id);

    void apply(int candidate, int job);
    void join(std::string const& member, int job);
    void leave(std::string const& member, int job);
    /// Changes the candidate's application for the job: set is the text of UPDATE's SET.
    void change(int candidate, int job, std::string const& set);
    void run(std::string const& sql) { database.owner().script(sql); }

    /// SQL of these, for writers on other connections.
    [[nodiscard]] static std::string apply_sql(int candidate, int job);
    [[nodiscard]] static std::string change_sql(int candidate, int job, std::string const& set);
    [[nodiscard]] std::string join_sql(std::string const& member, int job) const;
    [[nodiscard]] std::string leave_sql(std::string const& member, int job) const;
    /// Books an interview for an application, from so many milliseconds from now on, with the member.
    [[nodiscard]] std::string book_sql(int candidate, int job, std::string const& member, int from_ms, int to_ms) const;

    test_database database;
    std::string slug = new_slug();
};

} // namespace recruiting::test
