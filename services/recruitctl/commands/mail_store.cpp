#include "recruitctl/commands/mail_store.hpp"

namespace recruiting::recruitctl {
namespace {

constexpr std::string_view select_sql = R"(
SELECT m.id, o.slug, m.booking_id, m.audience, m.kind, m.status, m.attempts, m.created_at,
       CASE m.status WHEN 'waiting' THEN m.next_attempt_at END, m.finished_at, m.last_error, m.starts_at, m.sequence
FROM recruiting.mail_outbox m JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE ($1::uuid IS NULL OR m.id = $1) AND ($2::text IS NULL OR m.status = $2) AND ($3::text IS NULL OR o.slug = $3)
ORDER BY m.created_at DESC, m.id LIMIT $4::bigint)";
struct mail_columns {
    enum : int {
        id,
        organization,
        booking_id,
        audience,
        kind,
        status,
        attempts,
        created_at,
        next_attempt_at,
        finished_at,
        last_error,
        starts_at,
        sequence
    };
};

// As recruiting.mail_content gives it to the mailer.
constexpr std::string_view select_address_sql = R"(
SELECT CASE WHEN m.audience = 'interviewer' THEN CASE WHEN i.status = 'active' THEN u.email END
            WHEN c.deleted_at IS NULL THEN c.email END
FROM recruiting.mail_outbox m
JOIN recruiting.bookings b ON b.id = m.booking_id
JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.users u ON u.id = i.user_id
WHERE m.id = $1::uuid)";
struct address_columns {
    enum : int { address };
};

// News that later news has overtaken must not be told. What waits is only brought forward; a sender that works on it
// keeps it.
constexpr std::string_view resend_sql = R"(
UPDATE recruiting.mail_outbox m
   SET status = 'waiting', next_attempt_at = clock_timestamp(), finished_at = NULL,
       attempts = CASE m.status WHEN 'waiting' THEN m.attempts ELSE 0 END
 WHERE m.id = ANY ($1::uuid[])
   AND NOT EXISTS (SELECT FROM recruiting.mail_outbox l
                    WHERE l.booking_id = m.booking_id AND l.status = 'sent' AND l.audience = m.audience
                      AND (m.audience = 'candidate' OR l.membership_id = m.membership_id)
                      AND (l.created_at, l.id) > (m.created_at, m.id))
RETURNING m.id)";

constexpr std::string_view select_dead_sql = R"(
SELECT m.id FROM recruiting.mail_outbox m JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE m.status = 'dead' AND ($1::text IS NULL OR o.slug = $1)
ORDER BY m.created_at, m.id)";
struct mail_id_columns {
    enum : int { id };
};

listed_mail to_mail(pg::rows const& found, int row) {
    listed_mail out;
    out.id = found.id(row, mail_columns::id);
    out.organization = found.text(row, mail_columns::organization);
    out.booking_id = found.id(row, mail_columns::booking_id);
    out.audience = found.text(row, mail_columns::audience);
    out.kind = found.text(row, mail_columns::kind);
    out.status = found.text(row, mail_columns::status);
    out.attempts = found.integer(row, mail_columns::attempts);
    out.created_at = found.time(row, mail_columns::created_at);
    out.next_attempt_at = found.optional_time(row, mail_columns::next_attempt_at);
    out.finished_at = found.optional_time(row, mail_columns::finished_at);
    out.last_error = found.optional_text(row, mail_columns::last_error);
    out.starts_at = found.optional_time(row, mail_columns::starts_at);
    out.sequence = found.integer(row, mail_columns::sequence);
    return out;
}

std::vector<uuid> ids_of(pg::rows const& found) {
    std::vector<uuid> out;
    for (int row = 0; row < found.size(); ++row) out.push_back(found.id(row, mail_id_columns::id));
    return out;
}

} // namespace

std::vector<listed_mail> select_mails(pg::client& database, mail_filter const& filter) {
    auto const found = database.run(
        select_sql,
        pg::params{}.null().optional_text(filter.status).optional_text(filter.organization).integer(filter.limit));
    std::vector<listed_mail> out;
    for (int row = 0; row < found.size(); ++row) out.push_back(to_mail(found, row));
    return out;
}

std::optional<listed_mail> select_mail(pg::client& database, uuid const& id) {
    auto const found = database.run(select_sql, pg::params{}.id(id).null().null().integer(1));
    if (found.empty()) return std::nullopt;
    return to_mail(found, 0);
}

std::optional<std::string> select_mail_address(pg::client& database, uuid const& id) {
    auto const found = database.run(select_address_sql, pg::params{}.id(id));
    if (found.empty() || found.is_null(0, address_columns::address)) return std::nullopt;
    return std::string(found.text(0, address_columns::address));
}

std::vector<uuid> resend_mails(pg::client& database, std::vector<uuid> const& ids) {
    std::vector<std::string> texts;
    for (auto const& id : ids) texts.push_back(to_string(id));
    return ids_of(database.run(resend_sql, pg::params{}.text_array(texts)));
}

std::vector<uuid> select_dead_mails(pg::client& database, std::optional<std::string> const& organization) {
    return ids_of(database.run(select_dead_sql, pg::params{}.optional_text(organization)));
}

} // namespace recruiting::recruitctl
