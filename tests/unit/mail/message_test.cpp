#include "core/text.hpp"
#include "mail/encodings.hpp"
#include "mail/message.hpp"
#include "support/catch.hpp"

namespace message_test {
using namespace recruiting;
using namespace std::string_literals;
using mail::calendar_method;

namespace {

mail::message some_mail() {
    mail::message out;
    out.from = {"Example Jobs", "jobs@example.com"};
    out.to = {"Ada Lovelace", "ada@example.org"};
    out.subject = "Your interview";
    out.message_id = "0190a1b2c3d4e5f60718293a4b5c6d7e@example.com";
    out.date = *parse_time("2026-11-24T09:00:00Z");
    out.text = "Hello\n.\nFrom here  \n100% = all \xC3\xBC\n";
    out.html = "<p>Hello</p>";
    return out;
}

std::string head_of(std::string const& mime) { return mime.substr(0, mime.find("\r\n\r\n") + 2); }

// The head's fields, each with its folded lines joined.
std::vector<std::string> fields_of(std::string const& mime) {
    std::vector<std::string> fields;
    auto const head = head_of(mime);
    for (auto const line : split(head, '\n')) {
        auto const text = line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0));
        if (text.starts_with(' ')) fields.back() += text;
        else if (!text.empty()) fields.emplace_back(text);
    }
    return fields;
}

void check_lines(std::string const& mime) {
    for (std::size_t from = 0; from < mime.size();) {
        auto const end = mime.find_first_of("\r\n", from);
        REQUIRE(end != std::string::npos);
        REQUIRE(mime.substr(end, 2) == "\r\n");
        REQUIRE(end - from <= 998);
        from = end + 2;
    }
}

} // namespace

TEST_CASE("a mail's head is what RFC 5322 asks for", "[mail][message]") {
    auto mail = some_mail();
    mail.reply_to = mail::mailbox{"", "people@example.com"};
    REQUIRE(fields_of(to_mime(mail)) ==
            std::vector<std::string>{
                "Date: Tue, 24 Nov 2026 09:00:00 +0000", "From: \"Example Jobs\" <jobs@example.com>",
                "To: \"Ada Lovelace\" <ada@example.org>", "Reply-To: <people@example.com>", "Subject: Your interview",
                "Message-ID: <0190a1b2c3d4e5f60718293a4b5c6d7e@example.com>", "Auto-Submitted: auto-generated",
                "X-Auto-Response-Suppress: All", "MIME-Version: 1.0",
                "Content-Type: multipart/alternative; "
                "boundary=\"=_alternative_0190a1b2c3d4e5f60718293a4b5c6d7e\""});
}

TEST_CASE("text goes as quoted-printable that no mail server alters", "[mail][message]") {
    auto const mime = to_mime(some_mail());
    check_lines(mime);
    REQUIRE(mime.find("\r\nHello\r\n=2E\r\nFrom here =20\r\n100% =3D all =C3=BC\r\n") != std::string::npos);
    REQUIRE(mail::to_quoted_printable("a\n\nb") == "a\r\n\r\nb\r\n");
    for (std::size_t size = 70; size < 80; ++size) {
        auto const coded = mail::to_quoted_printable(std::string(size, 'x') + " ");
        for (auto const line : split(coded, '\n')) REQUIRE(line.size() <= 77); // with its CR
    }
}

TEST_CASE("base64 is RFC 4648's", "[mail][message]") {
    REQUIRE(mail::to_base64("") == "");
    REQUIRE(mail::to_base64("f") == "Zg==");
    REQUIRE(mail::to_base64("fo") == "Zm8=");
    REQUIRE(mail::to_base64("foo") == "Zm9v");
    REQUIRE(mail::to_base64("\xff\xfe\xfb") == "//77");
}

TEST_CASE("an invitation stands beside the text and is attached too", "[mail][message]") {
    auto mail = some_mail();
    mail.calendar = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";
    mail.method = calendar_method::cancel;
    auto const mime = to_mime(mail);
    check_lines(mime);
    REQUIRE(mime.find("Content-Type: multipart/mixed;\r\n boundary=\"=_mixed_") != std::string::npos);
    REQUIRE(mime.find("Content-Type: text/calendar; charset=utf-8; method=CANCEL\r\n") != std::string::npos);
    REQUIRE(mime.find("Content-Type: application/ics; name=\"invite.ics\"\r\n"
                      "Content-Disposition: attachment; filename=\"invite.ics\"\r\n") != std::string::npos);
    auto const coded = mail::to_base64(mail.calendar);
    REQUIRE(mime.find(coded) != mime.rfind(coded));
}

TEST_CASE("header text that is not short plain ASCII is encoded, never within a character", "[mail][message]") {
    for (auto const* unit : {"\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "a\xC3\xBC"}) {
        std::string text;
        for (int i = 0; i < 100; ++i) text += unit;
        auto const field = mail::text_field("Subject", text);
        check_lines(field);
        std::string decoded;
        for (auto word : split(std::string_view(field).substr(8), '\n')) {
            word = trim(word);
            if (word.empty()) continue;
            REQUIRE(word.size() <= 75);
            REQUIRE(word.starts_with("=?UTF-8?B?"));
            REQUIRE(word.ends_with("?="));
            auto const base64 = word.substr(10, word.size() - 12);
            auto const bytes = from_base64url([&] {
                std::string url(base64.substr(0, base64.find('=')));
                for (auto& c : url) c = c == '+' ? '-' : c == '/' ? '_' : c;
                return url;
            }());
            REQUIRE(bytes);
            REQUIRE(is_utf8(*bytes));
            decoded += *bytes;
        }
        REQUIRE(decoded == text);
    }
    REQUIRE(mail::text_field("Subject", "a =?UTF-8?Q?b?=").starts_with("Subject: =?UTF-8?B?"));
}

TEST_CASE("long plain header text is folded at its spaces", "[mail][message]") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += (i ? " " : "") + std::string(static_cast<std::size_t>(i % 20) + 1, 'w');
    auto const field = mail::text_field("Subject", text);
    std::string joined;
    for (auto const line : split(field, '\n')) {
        REQUIRE(line.size() <= 77);
        joined += line.substr(0, line.find('\r'));
    }
    REQUIRE(joined == "Subject: " + text);
    check_lines(mail::text_field("Subject", std::string(5'000, 'w')));
}

TEST_CASE("no name, subject or address adds a field to a mail", "[mail][message]") {
    auto const plain = fields_of(to_mime(some_mail())).size();
    for (auto const& evil :
         {"x\r\nBcc: victim@example.net"s, "x\nBcc: v@x"s, "x\rBcc: v@x"s, "\r\n\r\n<script>"s, "a\0\r\n b"s,
          "\xE2\x80\xA8"
          "Bcc: v@x"s,
          "\"\r\n Bcc: <v@x>"s, "=?UTF-8?Q?=0D=0ABcc:_v@x?="s, std::string(3'000, '"'), std::string(3'000, '\n'),
          std::string(2'000, '\xFF')}) {
        auto mail = some_mail();
        mail.subject = mail.from.name = mail.to.name = evil;
        mail.to.email = "a@example.org" + evil;
        mail.message_id = evil + "@example.com";
        auto const mime = to_mime(mail);
        REQUIRE(fields_of(mime).size() == plain);
        for (auto const& field : fields_of(mime)) REQUIRE_FALSE(field.starts_with("Bcc"));
    }
}

TEST_CASE("a mailbox is read as people write it", "[mail][message]") {
    auto const named = mail::parse_mailbox("Example, Inc. <jobs@example.com>");
    REQUIRE(named);
    REQUIRE(named->name == "Example, Inc.");
    REQUIRE(named->email == "jobs@example.com");
    REQUIRE(mail::parse_mailbox("\"A \\\"B\\\" <x>\" <a@b.example>")->name == "A \"B\" <x>");
    REQUIRE(mail::parse_mailbox(" a@b.example ")->email == "a@b.example");
    REQUIRE(mail::parse_mailbox("<a@b.example>")->name.empty());
    for (auto const* bad : {"", "x", "Example", "Example <>", "Example <a@b.example", "a@b.example>", "a@", "<a b@c>"})
        REQUIRE_FALSE(mail::parse_mailbox(bad));
}

} // namespace message_test
