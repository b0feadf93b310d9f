#include "recruitctl/commands/address_forms.hpp"

#include "mail/address.hpp"

namespace recruiting::recruitctl {
namespace {

// Rows keep their times and transaction numbers, and those of a frozen organization are written too.
constexpr char const* begin_script = "ALTER TABLE recruiting.candidates DISABLE TRIGGER USER";
constexpr char const* end_script = "ALTER TABLE recruiting.candidates ENABLE TRIGGER USER";

// The first who was there keeps the form.
constexpr std::string_view people_without_form = R"(
SELECT u.id, m.email FROM recruiting.users u
JOIN LATERAL (SELECT email FROM recruiting.memberships WHERE user_id = u.id ORDER BY created_at, id LIMIT 1) m ON true
WHERE u.email_key IS NULL ORDER BY u.created_at, u.id)";
constexpr std::string_view candidates_without_form =
    "SELECT id, email FROM recruiting.candidates WHERE email_key IS NULL AND email IS NOT NULL";
constexpr std::string_view all_unmatched = "SELECT id, email FROM recruiting.unmatched_booking_requests";
struct typed_columns {
    enum : int { id, email };
};

constexpr std::string_view set_person = R"(
UPDATE recruiting.users SET email_key = $2
WHERE id = $1 AND NOT EXISTS (SELECT FROM recruiting.users WHERE email_key = $2))";
constexpr std::string_view set_candidate = "UPDATE recruiting.candidates SET email_key = $2 WHERE id = $1";
// A second request of one person for one stage keeps its former form until it is purged.
constexpr std::string_view set_unmatched = R"(
UPDATE recruiting.unmatched_booking_requests r SET email_key = $2
WHERE id = $1 AND email_key <> $2
  AND NOT EXISTS (SELECT FROM recruiting.unmatched_booking_requests o WHERE o.stage_id = r.stage_id AND o.email_key = $2))";

// PostgreSQL's lower() took these for i and k: whoever typed them, and whoever typed the ASCII letter, were one person.
// Which of the two a membership was meant for is not known.
bool was_folded_to_ascii(std::string_view address) {
    constexpr std::string_view capital_i_with_dot = "\u0130";
    constexpr std::string_view kelvin_sign = "\u212A";
    return address.find(capital_i_with_dot) != address.npos || address.find(kelvin_sign) != address.npos;
}

void write_people(pg::client& database) {
    auto const found = database.run(people_without_form);
    for (int row = 0; row < found.size(); ++row) {
        auto const typed = found.text(row, typed_columns::email);
        auto const key = mail::canonical_address(typed);
        if (key && !was_folded_to_ascii(typed))
            database.run(set_person, pg::params().id(found.id(row, typed_columns::id)).text(*key));
    }
}

void write_forms(pg::client& database, std::string_view select, std::string_view update) {
    auto const found = database.run(select);
    for (int row = 0; row < found.size(); ++row) {
        auto const key = mail::canonical_address(found.text(row, typed_columns::email));
        if (key) database.run(update, pg::params().id(found.id(row, typed_columns::id)).text(*key));
    }
}

constexpr std::string_view select_undecided = R"(
SELECT o.slug, m.email FROM recruiting.users u
JOIN recruiting.memberships m ON m.user_id = u.id AND m.status <> 'removed'
JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE u.email_key IS NULL ORDER BY o.slug, m.email)";
struct undecided_columns {
    enum : int { slug, email };
};
constexpr std::string_view select_holder = R"(
SELECT o.slug, m.email FROM recruiting.users u
JOIN recruiting.memberships m ON m.user_id = u.id
JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE u.email_key = $1 ORDER BY m.status = 'removed', m.created_at, m.id LIMIT 1)";

} // namespace

void write_canonical_addresses(pg::client& database) {
    write_people(database);
    database.script(begin_script);
    write_forms(database, candidates_without_form, set_candidate);
    database.script(end_script);
    write_forms(database, all_unmatched, set_unmatched);
}

std::vector<undecided_person> select_undecided_people(pg::client& database) {
    std::vector<undecided_person> out;
    auto const found = database.run(select_undecided);
    for (int row = 0; row < found.size(); ++row) {
        undecided_person one{std::string(found.text(row, undecided_columns::slug)),
                             std::string(found.text(row, undecided_columns::email)),
                             {}};
        if (auto const key = mail::canonical_address(one.email)) {
            auto const held = database.run(select_holder, pg::params().text(*key));
            if (!held.empty())
                one.holder = std::string(held.text(0, undecided_columns::slug)) + ": " +
                             std::string(held.text(0, undecided_columns::email));
        }
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace recruiting::recruitctl
