// Mails to members: what they say, and when they are not sent.
#include "auth_api/background/mail/compose.hpp"
#include "support/catch.hpp"
#include "words/words.hpp"

namespace console_mail_test {
using namespace recruiting;
using namespace recruiting::auth_api::mailing;

namespace {

member_mail mail_to_ada(member_kind about, std::string language = "en") {
    member_mail out;
    out.id = random_id();
    out.about = about;
    out.email = "ada@acme.example";
    out.name = "Ada <b>Lindqvist</b>";
    out.organization_name = about == member_kind::sign_in ? "" : "Acme";
    out.language = std::move(language);
    out.created_at = out.now = system_time().now();
    return out;
}
mail_settings settings_of_test() {
    mail_settings out;
    out.from = mail::mailbox{"", "no-reply@recruiting.example"};
    out.public_url = "https://jobs.example.com";
    return out;
}
std::string const token(43, 't');

} // namespace

TEST_CASE("the link stands in the fragment, in text and HTML, and names are no markup", "[console][mail]") {
    for (auto const about : {member_kind::sign_in, member_kind::invitation})
        for (std::string const language : {"de", "en", "es", "fr", "it", "ja", "", "xx"}) {
            INFO(language);
            auto const made = compose_member_mail(mail_to_ada(about, language), settings_of_test(), token);
            REQUIRE(std::holds_alternative<mail::message>(made));
            auto const& message = std::get<mail::message>(made);
            auto const link = "https://jobs.example.com/console/sign-in#token=" + token;
            CHECK(message.text.find(link) != std::string::npos);
            CHECK(message.html.find("href=\"" + link + '"') != std::string::npos);
            CHECK(message.html.find("<b>") == std::string::npos);
            CHECK(message.text.find('{') == std::string::npos);
            CHECK(message.subject.find('{') == std::string::npos);
            CHECK(message.to.email == "ada@acme.example");
            CHECK(message.calendar.empty());
        }
}

TEST_CASE("a name that looks like a contact is in no part of a mail, the inviter's address is", "[console][mail]") {
    for (auto const about : {member_kind::sign_in, member_kind::invitation})
        for (auto const& in : all_words()) {
            CAPTURE(in.language);
            auto row = mail_to_ada(about, std::string(in.language));
            row.name = "your account was locked, unlock it now: https://evil.example/unlock";
            row.inviter = about == member_kind::invitation ? "boss@acme.example" : "";
            auto const message = std::get<mail::message>(compose_member_mail(row, settings_of_test(), token));
            CHECK(message.to.name.empty());
            CHECK(message.text.starts_with(std::string(in.member.hello_unnamed) + '\n'));
            auto const all = mail::to_mime(message) + message.subject + message.text + message.html;
            CHECK(all.find("evil") == std::string::npos);
            CHECK(all.find("locked") == std::string::npos);
            for (auto const& part : {message.text, message.html}) {
                CHECK((part.find("boss@acme.example") != std::string::npos) == (about == member_kind::invitation));
                CHECK(part.find('{' + std::string("inviter")) == std::string::npos);
            }
            if (about == member_kind::invitation) CHECK(message.text.find("Acme") != std::string::npos);
        }
}

TEST_CASE("an inviter whose address could be any text is not named", "[console][mail]") {
    auto row = mail_to_ada(member_kind::invitation);
    row.inviter = "\"account locked, unlock: https://evil.example/a\"@evil.example";
    auto const message = std::get<mail::message>(compose_member_mail(row, settings_of_test(), token));
    CHECK((message.text + message.html).find("evil") == std::string::npos);
}

TEST_CASE("how long the link works is said in whole units", "[console][mail]") {
    auto settings = settings_of_test();
    auto const says = [&](member_kind about, std::string const& text) {
        auto const made = compose_member_mail(mail_to_ada(about), settings, token);
        return std::get<mail::message>(made).text.find(text) != std::string::npos;
    };
    CHECK(says(member_kind::sign_in, "for 15 minutes"));
    CHECK(says(member_kind::invitation, "for 7 days"));
    settings.sign_in_lifetime = std::chrono::hours{3};
    CHECK(says(member_kind::sign_in, "for 3 hours"));
}

TEST_CASE("no mail goes to who is gone, and no link that nobody waits for", "[console][mail]") {
    auto gone = mail_to_ada(member_kind::invitation);
    gone.email.clear();
    CHECK(std::holds_alternative<unsendable>(compose_member_mail(gone, settings_of_test(), token)));
    auto old = mail_to_ada(member_kind::sign_in);
    old.created_at -= std::chrono::hours{2};
    CHECK(std::holds_alternative<unsendable>(compose_member_mail(old, settings_of_test(), token)));
    auto invitation = mail_to_ada(member_kind::invitation);
    invitation.created_at -= std::chrono::hours{2};
    CHECK(std::holds_alternative<mail::message>(compose_member_mail(invitation, settings_of_test(), token)));
}

TEST_CASE("an admin learns of a paused webhook in each language, with the way to the console and no link that signs in",
          "[console][mail]") {
    for (bool const has_console : {true, false})
        for (auto const& in : all_words()) {
            CAPTURE(in.language, has_console);
            auto settings = settings_of_test();
            settings.has_console = has_console;
            auto row = mail_to_ada(member_kind::webhook_failed, std::string(in.language));
            row.created_at -= std::chrono::hours{2};
            auto const made = compose_member_mail(row, settings, token);
            REQUIRE(std::holds_alternative<mail::message>(made));
            auto const& message = std::get<mail::message>(made);
            CHECK(message.subject == fill(in.member.webhook_failed_subject, {{"organization", "Acme"}}));
            auto const news = fill(in.member.webhook_failed, {{"organization", "Acme"}});
            CHECK(message.text.find(news) != std::string::npos);
            for (auto const& part : {message.text, message.html}) {
                CHECK((part.find("https://jobs.example.com/console/webhooks") != std::string::npos) == has_console);
                CHECK(part.find(token) == std::string::npos);
                CHECK(part.find("sign-in") == std::string::npos);
            }
            CHECK(message.text.find('{') == std::string::npos);
        }
}

TEST_CASE("where mailed links sign nobody in, none is mailed and an invitation leads to the sign-in page",
          "[console][mail]") {
    auto settings = settings_of_test();
    settings.links_sign_in = false;
    CHECK(std::holds_alternative<unsendable>(compose_member_mail(mail_to_ada(member_kind::sign_in), settings, token)));
    for (auto const& in : all_words()) {
        CAPTURE(in.language);
        auto const row = mail_to_ada(member_kind::invitation, std::string(in.language));
        auto const made = compose_member_mail(row, settings, token);
        REQUIRE(std::holds_alternative<mail::message>(made));
        auto const& message = std::get<mail::message>(made);
        CHECK(message.html.find("href=\"https://jobs.example.com/console/sign-in\"") != std::string::npos);
        CHECK(message.text.find("https://jobs.example.com/console/sign-in") != std::string::npos);
        CHECK(message.text.find(token) == std::string::npos);
        CHECK(message.html.find(token) == std::string::npos);
        CHECK(message.text.find('7') == std::string::npos); // no lifetime of a link
    }
}

} // namespace console_mail_test
