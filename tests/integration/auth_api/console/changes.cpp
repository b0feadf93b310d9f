#include "integration/auth_api/console/changes.hpp"

#include "auth/session.hpp"
#include "auth_api/settings.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/json/parse.hpp>
#include <exception>

namespace recruiting::test {
namespace {

using namespace auth_api::console;

constexpr auto insert_session = R"(
INSERT INTO recruiting.console_sessions (id, hash, user_id, membership_id, expires_at, idle_expires_at)
SELECT $1, $2, m.user_id, m.id, now() + interval '1 day', now() + interval '1 hour'
FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
WHERE m.organization_id = $3 AND u.email_key = $4)";

change_pool_settings fast(std::string const& url) {
    change_pool_settings how;
    how.database_url = url;
    how.lock_timeout = std::chrono::milliseconds{1'000};
    return how;
}

} // namespace

console_changes::console_changes(test_database& in, void (*adjust)(change_pool_settings&))
    : database(in), owner(in.owner_url(), "tests"), organization(make_organization(owner, slug)),
      admin(sign_in(email("admin"))), config(std::make_unique<auth_api::settings>()) {
    config->peppers.current = test_key_settings().pepper;
    auto how = fast(database.auth_url());
    if (adjust != nullptr) adjust(how);
    pool = std::make_unique<change_pool>(how, *config);
}

console_changes::~console_changes() = default;

std::string console_changes::email(std::string_view name) const { return std::string(name) + "@" + slug + ".example"; }

digest console_changes::sign_in(std::string const& address) {
    auto const hash = auth::hash_session(test_key_settings().pepper, auth::new_session_secret());
    auto const made =
        owner.run(insert_session, pg::params{}.id(random_id()).bytes(bytes_of(hash)).id(organization.id).text(address));
    if (made.affected() != 1) throw std::runtime_error(address + " is not a member");
    return hash;
}

digest console_changes::join(std::string_view name, role held) {
    make_member(owner, slug, email(name), held);
    return sign_in(email(name));
}

change_outcome console_changes::call(console_call const& what) {
    change_request request;
    request.function = what.function;
    request.session.hash = what.session;
    request.organization_id = what.organization.value_or(organization.id);
    request.member_id = random_id(); // nobody who has other changes
    request.path.values[0] = what.id;
    request.path.count = 1;
    request.query = what.query;
    request.body = what.body;
    request.request_id = "request-of-a-test";
    asio::io_context context{1};
    change_outcome out;
    std::exception_ptr failed;
    bool ended = false;
    auto const done = [&](std::exception_ptr why, change_outcome outcome) {
        ended = true;
        failed = std::move(why);
        out = std::move(outcome);
    };
    asio::co_spawn(context, pool->run(context.get_executor(), std::move(request)), done);
    auto const working = asio::make_work_guard(context);
    while (!ended) context.run_one();
    if (failed) std::rethrow_exception(failed);
    return out;
}

std::string console_changes::outcome(console_call const& what) {
    auto const made = call(what);
    if (!made.error) return std::to_string(made.answer.status);
    auto out = std::to_string(http_status(made.error->code));
    if (made.error->code != error_code::invalid_request) return out.append(" ").append(to_string(made.error->code));
    auto const& detail = made.error->details.at(0);
    return out.append(" ").append(detail.field).append(" ").append(detail.reason);
}

std::vector<std::string> console_changes::audited(std::string const& target) const {
    auto const found =
        const_cast<pg::client&>(owner).run("SELECT action, actor_type, actor_email, actor_role FROM audit_rows "
                                           "WHERE organization_id = $1 AND target_id = $2 ORDER BY occurred_at",
                                           pg::params{}.id(organization.id).text(target));
    std::vector<std::string> out;
    for (int row = 0; row < found.size(); ++row) {
        auto& line = out.emplace_back(found.text(row, 0));
        for (int column = 1; column < 4; ++column) line.append(" ").append(found.text(row, column));
    }
    return out;
}

} // namespace recruiting::test
