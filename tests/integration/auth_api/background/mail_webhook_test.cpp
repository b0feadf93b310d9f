// The mail about a webhook that is paused: to whom it goes, and what it does not bring.
#include "integration/auth_api/background/mail_harness.hpp"
#include "support/catch.hpp"

namespace mail_webhook_test {
using namespace recruiting;
using namespace recruiting::test;

TEST_CASE("an admin gets the mail about a paused webhook, without a link that signs in, and a former admin gets none",
          "[mail][webhooks]") {
    mail_system s;
    s.settings.has_console = true;
    auto const demoted = s.booking.add_interviewer();
    s.booking.change("UPDATE recruiting.memberships SET role = 'admin'");
    s.booking.change("INSERT INTO recruiting.mail_outbox (id, organization_id, audience, kind, membership_id, user_id, "
                     "time_zone) SELECT gen_random_uuid(), m.organization_id, 'member', 'webhook_failed', m.id, "
                     "m.user_id, 'UTC' FROM recruiting.memberships m WHERE m.email LIKE 'interviewer%'");
    s.booking.change("UPDATE recruiting.memberships SET role = 'recruiter' WHERE id = '" + to_string(demoted) + "'");
    s.send();
    CHECK(s.with_status("sent") == "1");
    CHECK(s.with_status("dead") == "1");
    auto const mails = s.mails_to(s.interviewer_email);
    REQUIRE(mails.size() == 1);
    CHECK(mails[0].field("Subject").find("webhook") != std::string::npos);
    CHECK(mails[0].text.find("https://jobs.example.com/console/webhooks") != std::string::npos);
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_tokens") == "0");
}

} // namespace mail_webhook_test
