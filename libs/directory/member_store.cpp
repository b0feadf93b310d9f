// Members: the rows of memberships, and their invitations.
#include "directory/store.hpp"
#include "mail/address.hpp"

namespace recruiting::directory::store {
namespace {

// One (by address or id), all present ones, or all that ever were. Callers rely on the order by name.
constexpr std::string_view select_member_rows =
    "SELECT m.id, m.email, " RECRUITING_MEMBER_NAME
    R"( AS name, m.title, m.role, m.status, m.created_at, m.updated_at, m.removed_at, m.join_url
FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
WHERE m.organization_id = $1 AND ($3 OR m.status <> 'removed') AND ($4::uuid IS NULL OR m.id = $4)
  AND ($2::text IS NULL OR u.email_key = $2)
ORDER BY lower()" RECRUITING_MEMBER_NAME "), m.id";

// Read under the lock of the organization's row, so that no other admin can leave meanwhile.
constexpr std::string_view count_other_active_admins = R"(
SELECT count(*) FROM recruiting.memberships
WHERE organization_id = $1 AND id <> $2 AND role = 'admin' AND status = 'active')";

// Another organization may add the same person at this moment: the loser of that race takes the winner's row. A
// function of the owner's, because admins who invite in the console may not read the people of other organizations.
constexpr std::string_view find_or_insert_user_row = "SELECT recruiting.find_or_add_user($1, $2, $3)";

constexpr std::string_view insert_membership = R"(
INSERT INTO recruiting.memberships (id, organization_id, user_id, role, title, status, invitation_open, invited_name,
                                    email)
VALUES ($1, $2, $3, $4, $5, $6::text, $6 = 'invited', $7, $8))";

// Revives the membership: once it is active, its keys work again from the next request on. A member who never joined is
// invited again, unless a status is given.
constexpr std::string_view revive_membership = R"(
UPDATE recruiting.memberships
SET status = coalesce($4::text, CASE WHEN invitation_open THEN 'invited' ELSE 'active' END), removed_at = NULL,
    role = $2, title = coalesce($3, title), invitation_open = coalesce($4 = 'invited', invitation_open),
    invited_name = coalesce($5, invited_name), email = coalesce($6, email)
WHERE id = $1)";

// The row stays; its keys stop working at the next request, because authenticate reads the status.
constexpr std::string_view remove_membership = R"(
UPDATE recruiting.memberships SET status = 'removed', removed_at = clock_timestamp() WHERE id = $1)";

// One that waits reaches the person anyway: asked for again and again, there is one mail at a time.
constexpr std::string_view insert_invitation_mail = R"(
INSERT INTO recruiting.mail_outbox (id, organization_id, audience, kind, membership_id, user_id, time_zone, language,
                                    invited_by)
SELECT $1, m.organization_id, 'member', 'invitation', m.id, m.user_id, o.time_zone,
       coalesce($3, (SELECT q.language FROM recruiting.mail_outbox q
                     WHERE q.membership_id = m.id AND q.kind = 'invitation' ORDER BY q.created_at DESC LIMIT 1)),
       recruiting.console_member_id('admin')
FROM recruiting.memberships m JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE m.id = $2 AND NOT EXISTS (SELECT FROM recruiting.mail_outbox q
    WHERE q.membership_id = m.id AND q.kind = 'invitation' AND q.status = 'waiting'))";

// Fixed windows of an hour on the clock. The organization's own counts come first: what they refuse counts for no
// address. The count of all organizations refuses nothing, and it leaves each organization its first mail: nobody could
// otherwise keep others from inviting a person, or find out that they do.
constexpr std::string_view count_invitation_sql = R"(
WITH hour AS (SELECT date_bin('1 hour', now(), 'epoch'::timestamptz) AS begins),
organization AS (
    INSERT INTO recruiting.sign_in_counts AS n (subject, hour, requests)
    SELECT sha256(convert_to('invitations of ' || $1::uuid, 'UTF8')), begins, 1 FROM hour
    ON CONFLICT (subject, hour) DO UPDATE SET requests = n.requests + 1 WHERE n.requests < $3::bigint
    RETURNING true),
address AS (
    INSERT INTO recruiting.sign_in_counts AS n (subject, hour, requests)
    SELECT sha256(convert_to('invitations of ' || $1::uuid || ' to ' || $2::text, 'UTF8')), begins, 1 FROM hour
    WHERE EXISTS (SELECT FROM organization)
    ON CONFLICT (subject, hour) DO UPDATE SET requests = n.requests + 1 WHERE n.requests < $4::bigint
    RETURNING n.requests),
all_organizations AS (
    INSERT INTO recruiting.sign_in_counts AS n (subject, hour, requests)
    SELECT sha256(convert_to('invitations to ' || $2::text, 'UTF8')), begins, 1 FROM hour
    WHERE EXISTS (SELECT FROM address)
    ON CONFLICT (subject, hour) DO UPDATE SET requests = n.requests + 1
    WHERE n.requests < $4::bigint OR (SELECT requests FROM address) = 1
    RETURNING true)
SELECT EXISTS (SELECT FROM address), EXISTS (SELECT FROM all_organizations),
       ceil(extract(epoch FROM begins + interval '1 hour' - now()))::bigint FROM hour)";

constexpr std::string_view acts_as_admin_sql =
    "SELECT recruiting.is_owners_session() OR recruiting.console_organization_id('admin') IS NOT DISTINCT FROM $1";

constexpr std::string_view member_in_reach_sql = R"(
SELECT id FROM recruiting.memberships
WHERE organization_id = (SELECT recruiting.current_organization_id()) AND id = $1)";

member to_member(pg::row row) {
    member m;
    std::string_view held;
    row.read(m.id, m.email, m.name, m.title, held, m.status, m.created_at, m.updated_at, m.removed_at, m.join_url);
    m.held = parse_role(held).value();
    return m;
}

} // namespace

std::optional<member> select_member(pg::client& database, uuid const& organization_id, member_selector const& which) {
    pg::params values;
    values.id(organization_id);
    if (auto const* const email = std::get_if<std::string_view>(&which)) {
        values.text(mail::canonical_address(*email).value_or(std::string(*email))).boolean(true).null();
    } else {
        values.null().boolean(true).id(std::get<uuid>(which));
    }
    auto const found = database.run(select_member_rows, values);
    if (found.empty()) return std::nullopt;
    return to_member(found[0]);
}

std::vector<member> select_members(pg::client& database, uuid const& organization_id, bool with_removed) {
    auto const found =
        database.run(select_member_rows, pg::params{}.id(organization_id).null().boolean(with_removed).null());
    std::vector<member> members;
    for (auto const row : found) members.push_back(to_member(row));
    return members;
}

std::int64_t count_other_admins(pg::client& database, uuid const& organization_id, uuid const& member_id) {
    return database.run(count_other_active_admins, pg::params{}.id(organization_id).id(member_id)).integer(0, 0);
}

std::optional<uuid> find_or_insert_user(pg::client& database, std::string_view address_key,
                                        std::optional<std::string> const& name) {
    auto const values = pg::params{}.id(new_record_id()).text(address_key).optional_text(name);
    auto const found = database.run(find_or_insert_user_row, values);
    return found[0].optional_id();
}

void insert_member(pg::client& database, uuid const& organization_id, uuid const& user_id, membership const& wanted) {
    pg::params values;
    values.id(new_record_id()).id(organization_id).id(user_id).text(to_string(wanted.held));
    values.optional_text(wanted.title).optional_text(wanted.status).optional_text(wanted.invited_name);
    values.optional_text(wanted.email);
    database.run(insert_membership, values);
}

void revive_member(pg::client& database, uuid const& member_id, membership const& wanted) {
    pg::params values;
    values.id(member_id).text(to_string(wanted.held)).optional_text(wanted.title).optional_text(wanted.status);
    values.optional_text(wanted.invited_name).optional_text(wanted.email);
    database.run(revive_membership, values);
}

void update_role(pg::client& database, uuid const& member_id, role held) {
    database.run("UPDATE recruiting.memberships SET role = $2 WHERE id = $1",
                 pg::params{}.id(member_id).text(to_string(held)));
}

void update_member_name(pg::client& database, uuid const& member_id, std::string_view name) {
    database.run("UPDATE recruiting.memberships SET invited_name = $2 WHERE id = $1",
                 pg::params{}.id(member_id).text(name));
}

void remove_member(pg::client& database, uuid const& member_id) {
    database.run(remove_membership, pg::params{}.id(member_id));
}

void insert_invitation(pg::client& database, uuid const& member_id, std::optional<std::string> const& language) {
    database.run(insert_invitation_mail, pg::params{}.id(new_record_id()).id(member_id).optional_text(language));
}

invitation_count count_invitation(pg::client& database, uuid const& organization_id, std::string_view address_key,
                                  invitation_limits const& limits) {
    pg::params values;
    values.id(organization_id).text(mail::counted_mailbox(address_key));
    values.integer(limits.of_organization).integer(limits.to_address);
    auto const counted = database.run(count_invitation_sql, values);
    bool is_admitted{false};
    bool is_mailed{false};
    std::int64_t seconds_left{0};
    counted[0].read(is_admitted, is_mailed, seconds_left);
    if (!is_admitted) return {seconds_left, false};
    return {std::nullopt, is_mailed};
}

bool acts_as_admin(pg::client& database, uuid const& organization_id) {
    return database.run(acts_as_admin_sql, pg::params{}.id(organization_id)).boolean(0, 0);
}

pg::statement member_in_reach(uuid const& member_id) {
    return {std::string(member_in_reach_sql), pg::params{}.id(member_id)};
}

void update_join_url(pg::client& database, uuid const& member_id, std::optional<std::string> const& url) {
    database.run("UPDATE recruiting.memberships SET join_url = $2 WHERE id = $1",
                 pg::params{}.id(member_id).optional_text(url));
}

} // namespace recruiting::directory::store
