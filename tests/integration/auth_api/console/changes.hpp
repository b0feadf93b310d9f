// An organization whose members change it through the pool of the console, as its endpoints do.
#pragma once
#include "auth_api/console/change_pool.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::test {

struct console_call {
    auth_api::change_function function{nullptr};
    digest session{};
    std::string id{}; // in the path
    std::string body{"{}"};
    std::string query{};
    std::optional<uuid> organization{}; // of the session; none: the fixture's
};

class console_changes {
public:
    /// adjust: settings of the pool that differ from the tests' usual ones.
    explicit console_changes(test_database& in = shared_database(),
                             void (*adjust)(auth_api::console::change_pool_settings&) = nullptr);
    ~console_changes();

    [[nodiscard]] std::string email(std::string_view name) const;
    /// A member of the organization who has signed in.
    [[nodiscard]] digest sign_in(std::string const& email);
    [[nodiscard]] digest join(std::string_view name, role held);
    /// Waits for the outcome. Throws outage as the pool does.
    [[nodiscard]] auth_api::console::change_outcome call(console_call const& what);
    /// The answer's status, or the error's, with the first detail's field and reason: "201", "400 name taken".
    [[nodiscard]] std::string outcome(console_call const& what);
    /// The audit rows' actions and actors for this target, in order: "key.created member bob@… recruiter".
    [[nodiscard]] std::vector<std::string> audited(std::string const& target) const;

    test_database& database;
    pg::client owner; // recruiting_owner's
    std::string slug = new_slug();
    directory::organization organization;
    digest admin; // the session of admin@…
    std::unique_ptr<auth_api::settings> config;
    std::unique_ptr<auth_api::console::change_pool> pool;
};

} // namespace recruiting::test
