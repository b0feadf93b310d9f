#include "auth_api/background/mail/outbox_store.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::mailing {
namespace {

constexpr auto open_member_sql = R"sql(
SELECT m.id, m.kind, coalesce(c.email, ''), c.member_name, coalesce(c.organization_name, ''),
       coalesce(m.language, ''), m.attempts, m.first_attempt_at, m.created_at, clock_timestamp(),
       c.logo_url, c.accent_color, coalesce(i.email, '')
FROM recruiting.mail_outbox m JOIN recruiting.member_mail_content c ON c.id = m.id
LEFT JOIN recruiting.mail_inviters i ON i.id = m.id
WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting'
)sql";

// The link works before the mail can be read, and only for who is to get the mail. The lock makes a person who signs
// out everywhere at this moment wait, and then find the link to take it back.
constexpr auto add_sign_in_link_sql = R"sql(
INSERT INTO recruiting.sign_in_tokens (hash, user_id, membership_id, email_key, expires_at)
SELECT $3::bytea, c.user_id, m.membership_id, c.email_key,
       clock_timestamp() + CASE m.kind WHEN 'invitation' THEN $5::bigint ELSE $4::bigint END * interval '1 millisecond'
FROM recruiting.mail_outbox m JOIN recruiting.member_mail_content c ON c.id = m.id
WHERE m.id = $1::uuid AND m.lease = $2::uuid AND m.status = 'waiting' AND c.email IS NOT NULL
  AND m.kind IN ('sign_in', 'invitation')
FOR KEY SHARE OF m
)sql";

constexpr std::array<std::string_view, 3> member_kind_names = {"sign_in", "invitation", "webhook_failed"};

} // namespace

std::string_view to_string(member_kind about) noexcept { return member_kind_names[static_cast<std::size_t>(about)]; }

std::vector<pg::statement> open_member_mail(lease const& of, member_link const& link) {
    pg::params values;
    values.id(of.mail).id(of.fence);
    auto adding = values;
    adding.bytes(bytes_of(link.hash)).integer(link.sign_in_lifetime.count()).integer(link.invitation_lifetime.count());
    return {as_mailer(), {open_member_sql, std::move(values)}, {add_sign_in_link_sql, std::move(adding)}};
}

std::optional<member_mail> read_member_mail(std::span<pg::rows const> answer) {
    auto const& rows = answer[1];
    if (rows.empty()) return std::nullopt;
    member_mail out;
    std::string_view about;
    rows[0]
        .read(out.id, about, out.email, out.name, out.organization_name, out.language, out.attempts)
        .read(out.first_attempt_at, out.created_at, out.now, out.logo_url, out.accent_color, out.inviter);
    out.about = static_cast<member_kind>(std::find(member_kind_names.begin(), member_kind_names.end(), about) -
                                         member_kind_names.begin());
    return out;
}

} // namespace recruiting::auth_api::mailing
