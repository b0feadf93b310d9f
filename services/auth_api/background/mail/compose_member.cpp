#include "auth_api/background/mail/compose.hpp"

#include "auth_api/background/mail/letter.hpp"
#include "mail/address.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

#include <array>
#include <string_view>

namespace recruiting::auth_api::mailing {
namespace {

// A person who asked for a link does not wait for longer.
constexpr std::chrono::hours longest_wait_for_link{1};

std::string length_in_words(std::chrono::milliseconds length, member_words const& in) {
    using namespace std::chrono;
    if (length >= days{2}) return fill(in.days, {{"number", std::to_string(duration_cast<days>(length).count())}});
    if (length >= hours{2}) return fill(in.hours, {{"number", std::to_string(duration_cast<hours>(length).count())}});
    return fill(in.minutes, {{"number", std::to_string(duration_cast<minutes>(length).count())}});
}

// What a kind of mail says to a member.
struct member_kind_words {
    std::string_view member_words::*subject;
    std::string_view member_words::*news;
    std::string_view member_words::*link;
};
constexpr std::array<member_kind_words, 3> member_kinds = {{
    {&member_words::sign_in_subject, &member_words::sign_in, &member_words::sign_in_link},
    {&member_words::invitation_subject, &member_words::invitation, &member_words::invitation_link},
    {&member_words::webhook_failed_subject, &member_words::webhook_failed, &member_words::webhook_failed_link},
}};

// Where the mail leads; "": nowhere, for there is no console.
std::string console_page_of(member_kind about, mail_settings const& settings, std::string const& token) {
    auto const console = settings.public_url + "/console";
    if (about == member_kind::webhook_failed) return settings.has_console ? console + "/webhooks" : "";
    return console + "/sign-in" + (settings.links_sign_in ? "#token=" + token : "");
}

void add_text(letter& to, std::string text) { to.blocks.emplace_back(paragraph{std::move(text)}); }

letter member_letter(member_mail const& row, mail_settings const& settings, std::string const& address) {
    auto const& in = words_for(row.language);
    auto const& say = in.member;
    auto const& texts = member_kinds.at(static_cast<std::size_t>(row.about));
    bool const invites = row.about == member_kind::invitation;
    auto const host = settings.public_url.substr(settings.public_url.find("//") + 2);
    letter out;
    out.language = in.language;
    out.label_end = in.mail.label_end;
    out.subject = fill(say.*texts.subject, {{"organization", row.organization_name}});
    out.from = {row.organization_name.empty() ? host : row.organization_name, row.logo_url, row.accent_color};
    bool const is_named = !row.inviter.empty() && !row.inviter.starts_with('"'); // quoted, it could be any text
    out.preview = fill(invites && is_named ? say.invitation_by : say.*texts.news,
                       {{"organization", row.organization_name}, {"host", host}, {"inviter", row.inviter}});
    auto const name = name_in_mail(row.name);
    add_text(out, name.empty() ? std::string(say.hello_unnamed) : fill(in.mail.hello, {{"name", name}}));
    add_text(out, out.preview);
    if (!address.empty()) out.blocks.emplace_back(main_link{{say.*texts.link, address}});
    if (settings.links_sign_in && row.about != member_kind::webhook_failed) {
        auto const lifetime = invites ? settings.invitation_lifetime : settings.sign_in_lifetime;
        out.blocks.emplace_back(paragraph{fill(say.link_note, {{"time", length_in_words(lifetime, say)}}), true});
    }
    if (row.about == member_kind::sign_in) out.blocks.emplace_back(paragraph{std::string(say.sign_in_note), true});
    if (!settings.reply_to) out.footer.emplace_back(in.mail.automatic_note);
    return out;
}

} // namespace

std::variant<unsendable, mail::message> compose_member_mail(member_mail const& row, mail_settings const& settings,
                                                            std::string const& token) {
    if (row.email.empty())
        return unsendable{"the recipient no longer exists, has already joined or is no longer an admin"};
    auto const to = mail::parse_address(row.email);
    if (!to) return unsendable{"the recipient's address is not valid"};
    if (row.about == member_kind::sign_in && row.now - row.created_at > longest_wait_for_link)
        return unsendable{"the request is too old"};
    if (row.about == member_kind::sign_in && !settings.links_sign_in)
        return unsendable{"members sign in with OpenID Connect only"};
    mail::message out;
    out.to = mail::mailbox{name_in_mail(row.name), to->mailbox};
    out.from = *settings.from;
    if (out.from.name.empty()) out.from.name = row.organization_name;
    out.reply_to = settings.reply_to;
    out.message_id = to_string(row.id) + "@" + out.from.email.substr(out.from.email.rfind('@') + 1);
    out.date = row.now;
    auto const letter = member_letter(row, settings, console_page_of(row.about, settings, token));
    out.subject = letter.subject;
    out.text = to_text(letter);
    out.html = to_html(letter);
    return out;
}

} // namespace recruiting::auth_api::mailing
