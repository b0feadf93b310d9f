// What the mailer reads and writes is found by index, however many mails were sent before.
#include "auth_api/background/mail/outbox_store.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"

namespace mail_plans_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::mailing;

TEST_CASE("the mailer's statements scan no large table", "[plans][mail]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.set("worker", "mailer");
    auto const check = [&](std::vector<pg::statement> const& segment, order wanted) {
        for (auto const& one : segment) check_plan(plans, one, wanted);
    };
    lease const one{};
    link_hashes links;
    links.manage.fill('x');
    links.join.fill('y');
    links.decline.fill('z');
    check(lease_mail(uuid{}, std::chrono::minutes{5}), order::from_index);
    check(open_mail(one), order::from_index);
    check(count_mail(one, "kim@mail.example", 12, links, std::chrono::hours{720}), order::from_index);
    using result = attempt_outcome::result;
    for (auto const what : {result::sent, result::dead, result::given_back, result::held_back, result::delayed})
        check(conclude(one, {what, "why", std::chrono::minutes{1}}), order::from_index);
    check(select_state(), order::from_index);
}

} // namespace mail_plans_test
