// A database of a test's own, on the server of RECRUITING_TEST_DATABASE_URL (a superuser's URL): created and migrated
// by the code of `recruitctl migrate`, dropped at the end. The three roles are made on the server when missing, able to
// log in with the password "test"; they are left there, for other tests use them at the same time.
#pragma once
#include "pg/client.hpp"

#include <string>

namespace recruiting::test {

enum class migrated { yes, no };

class test_database {
public:
    explicit test_database(migrated state = migrated::yes);
    ~test_database();
    test_database(test_database const&) = delete;
    test_database& operator=(test_database const&) = delete;

    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    // Connection strings of this database, each for one role.
    [[nodiscard]] std::string superuser_url() const;
    [[nodiscard]] std::string owner_url() const;  // recruitctl
    [[nodiscard]] std::string auth_url() const;   // auth-api
    [[nodiscard]] std::string public_url() const; // public-api
    /// A connection as recruiting_owner: sees every organization.
    [[nodiscard]] pg::client& owner();
    /// Whether a connection to this database waits for a lock of another one. Only a superuser sees that of other
    /// roles.
    [[nodiscard]] bool has_lock_waiter() const;
    /// Runs a script of deploy/postgresql as a superuser.
    void apply(std::string const& script);

private:
    std::string name_;
    std::unique_ptr<pg::client> owner_;
};

/// One for the whole test program, made at the first call: for tests that keep to an organization of their own.
[[nodiscard]] test_database& shared_database();

/// Roles are the whole server's, and PostgreSQL refuses two changes of one at a time: while the connection lives, no
/// other test changes any. Advisory locks are a database's, so this is one of the server's database.
[[nodiscard]] std::unique_ptr<pg::client> lock_roles();

/// deploy/migrations of this source tree.
[[nodiscard]] std::string migrations_directory();

} // namespace recruiting::test
