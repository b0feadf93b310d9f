// Requests for sign-in links: nobody learns who has an account.
#include "integration/auth_api/console/browser.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sign_in_link_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

std::string ask_for(std::string const& email, std::string const& more = {}) {
    return R"({"email":")" + email + R"(")" + more + "}";
}
/** The head without what tells one answer of a kind from the next: its id and the second it was sent in. */
std::string without_id_and_date(std::string head) {
    for (auto const* field : {"X-Request-Id:", "Date:"}) {
        auto const at = head.find(field);
        REQUIRE(at != std::string::npos);
        head.erase(at, head.find('\n', at) - at);
    }
    return head;
}

} // namespace

TEST_CASE("a known and an unknown address are the same in bytes and rows", "[console][sign_in]") {
    console_system s;
    console_browser someone(s);
    auto const known = someone.send("POST", "/sign-in-links", ask_for(s.email("admin")));
    auto const unknown = someone.send("POST", "/sign-in-links", ask_for(s.email("nobody")));
    CHECK(known.status == 202);
    CHECK(known.body == R"({"data":{"accepted":true}})");
    CHECK(known.body == unknown.body);
    CHECK(without_id_and_date(known.head) == without_id_and_date(unknown.head));
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_requests") == "2");
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox") == "0"); // nothing else before the worker
    for (auto const& body : {ask_for("no address"), ask_for("a@b.example", R"(,"language":"xx")"),
                             ask_for("a@b.example", R"(,"more":"")"), std::string("{}"), std::string("[]")})
        CHECK(someone.send("POST", "/sign-in-links", body).status == 400);
}

TEST_CASE("the worker writes one mail per member, and the mail's link signs in", "[console][sign_in]") {
    auto const mails = std::filesystem::temp_directory_path() / ("recruiting-mails-" + new_slug());
    std::filesystem::create_directories(mails);
    console_system s(
        [&](auth_api::settings& config) {
            config.mail.server = *auth_api::mailing::parse_mail_server("file:" + mails.string());
            config.mail.from = mail::mailbox{"", "no-reply@recruiting.example"};
            config.mail.interval = std::chrono::milliseconds{20};
        },
        true);
    console_browser ann(s);
    CHECK(ann.send("POST", "/sign-in-links", ask_for(s.email("admin"), R"(,"language":"it")")).status == 202);
    CHECK(ann.send("POST", "/sign-in-links", ask_for(s.email("nobody"))).status == 202);
    REQUIRE(eventually([&] {
        return s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE status = 'sent' AND kind = 'sign_in'") == "1";
    }));
    CHECK(eventually([&] { return s.value("SELECT count(*) FROM recruiting.sign_in_requests") == "0"; }));
    std::string text;
    for (auto const& file : std::filesystem::directory_iterator(mails)) {
        std::ostringstream content;
        content << std::ifstream(file.path()).rdbuf();
        text += content.str();
    }
    std::filesystem::remove_all(mails);
    CHECK(text.find("To: \"Member admin\"") != std::string::npos);
    auto const plain = text.substr(0, text.find("text/html"));
    std::string unfolded; // quoted-printable
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (plain.compare(i, 3, "=\r\n") == 0) i += 2;
        else unfolded += plain[i];
    }
    auto at = unfolded.find("#token=3D");
    REQUIRE(at != std::string::npos);
    auto const token = unfolded.substr(at + 9, 43);
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_tokens") == "1");
    CHECK(ann.use_link(token).status == 201);
}

TEST_CASE("expired sessions, links and counts are deleted", "[console][sign_in]") {
    console_system before; // its worker does not run
    console_browser ann(before);
    REQUIRE(ann.sign_in(before.email("admin")).status == 201);
    CHECK(ann.send("POST", "/sign-in-links", ask_for("a@b.example")).status == 202);
    before.database.owner().run("UPDATE recruiting.console_sessions SET idle_expires_at = now()");
    before.database.owner().run("UPDATE recruiting.sign_in_tokens SET expires_at = now()");
    before.database.owner().run("UPDATE recruiting.sign_in_counts SET hour = hour - interval '1 day'");
    auth_api_harness const worker(before.database.auth_url(), true);
    CHECK(eventually([&] {
        return before.value("SELECT (SELECT count(*) FROM recruiting.console_sessions) + "
                            "(SELECT count(*) FROM recruiting.sign_in_tokens) + "
                            "(SELECT count(*) FROM recruiting.sign_in_counts)") == "0";
    }));
}

} // namespace sign_in_link_test
