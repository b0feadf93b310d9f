// mail list, show, resend: the mails of all organizations and their states. No names are shown, and no addresses but
// one that is asked for.
#include "core/ids.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

struct mail_filter {
    std::optional<uuid> id{};
    std::optional<std::string> status{};
    std::optional<std::string> organization{}; // slug
    std::int64_t limit{100};
};

constexpr std::string_view select_sql = R"(
SELECT m.id, o.slug, m.booking_id, m.audience, m.kind, m.status, m.attempts, m.sequence, m.starts_at, m.created_at,
       CASE m.status WHEN 'waiting' THEN m.next_attempt_at END, m.finished_at, m.last_error
FROM recruiting.mail_outbox m LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE ($1::uuid IS NULL OR m.id = $1) AND ($2::text IS NULL OR m.status = $2) AND ($3::text IS NULL OR o.slug = $3)
ORDER BY m.created_at DESC, m.id LIMIT $4::bigint)";

// As recruiting.mail_content and recruiting.member_mail_content give it to the mailer.
constexpr std::string_view select_address_sql = R"(
SELECT CASE m.audience WHEN 'interviewer' THEN CASE WHEN i.status = 'active' THEN i.email END
                       WHEN 'member' THEN coalesce(i.email, p.email)
                       ELSE CASE WHEN c.deleted_at IS NULL THEN c.email END END
FROM recruiting.mail_outbox m
LEFT JOIN recruiting.bookings b ON b.id = m.booking_id
LEFT JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.people p ON p.user_id = m.user_id
WHERE m.id = $1::uuid)";

// News that later news has overtaken must not be sent. A waiting mail is only brought forward; a sender that works on
// it keeps it.
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
SELECT m.id FROM recruiting.mail_outbox m LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE m.status = 'dead' AND ($1::text IS NULL OR o.slug = $1)
ORDER BY m.created_at, m.id)";

std::vector<uuid> ids_of(pg::rows const& found) {
    std::vector<uuid> out;
    for (auto row : found) out.push_back(row.id());
    return out;
}

// The newest first.
pg::rows select_mails(pg::client& database, mail_filter const& filter) {
    return database.run(select_sql, pg::params{}
                                        .optional_id(filter.id)
                                        .optional_text(filter.status)
                                        .optional_text(filter.organization)
                                        .integer(filter.limit));
}

// A mail to a member is about no booking, and one that signs in is of no organization.
boost::json::object mail_json(pg::row row) {
    return {{"id", to_string(row.id())},
            {"organization", json_text(row.optional_text())},
            {"bookingId", json_id(row.optional_id())},
            {"audience", row.text()},
            {"kind", row.text()},
            {"status", row.text()},
            {"attempts", row.integer()},
            {"sequence", row.optional_integer().value_or(0)},
            {"startsAt", json_time(row.optional_time())},
            {"createdAt", format_time(row.time())},
            {"nextAttemptAt", json_time(row.optional_time())},
            {"finishedAt", json_time(row.optional_time())},
            {"lastError", json_text(row.optional_text())}};
}

// Of two columns.
std::string next_or_last_time(pg::row& row) {
    auto const next = row.optional_time();
    auto const finished = row.optional_time();
    return shown_time(finished ? finished : next);
}

std::vector<std::string> mail_cells(pg::row row) {
    return {to_string(row.id()),
            shown(row.optional_text()),
            std::string(row.skip().text()), // behind the booking
            std::string(row.text()),
            std::string(row.text()),
            std::to_string(row.integer()),
            format_time(row.skip(2).time()), // behind the sequence and the interview's time
            next_or_last_time(row),
            shown(row.optional_text())};
}

uuid id_of(std::string const& text) {
    auto const id = parse_id(text);
    if (!id) throw usage_error(text + " is not a mail's id: 32 hex characters");
    return *id;
}

std::optional<std::string> chosen_status(invocation const& call) {
    std::optional<std::string> out;
    for (char const* status : {"dead", "waiting", "sent"}) {
        if (!call.has(std::string("--") + status)) continue;
        if (out) throw usage_error("--dead, --waiting and --sent exclude each other");
        out = status;
    }
    return out;
}

int list_mail(invocation& call) {
    mail_filter filter;
    filter.status = chosen_status(call);
    filter.organization = call.find("--organization");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    auto const found = select_mails(call.database(), filter);
    return print_list(
        call, {"id", "organization", "to", "about", "status", "attempts", "written", "next or last", "last error"},
        found, mail_json, mail_cells);
}

int show_mail(invocation& call) {
    auto const id = id_of(call.operands().front());
    auto const found = select_mails(call.database(), {.id = id});
    if (found.empty()) throw failure("there is no mail " + to_string(id));
    auto document = mail_json(found[0]);
    if (call.has("--address")) {
        auto const recipient = call.database().run(select_address_sql, pg::params{}.id(id)); // NULL: no longer there
        document["address"] = json_text(recipient.empty() ? std::nullopt : recipient[0].optional_text());
    }
    table_rows table;
    for (auto const& [name, value] : document) {
        auto const* const text = value.if_string();
        auto const shown_value = text != nullptr ? std::string(*text) : boost::json::serialize(value);
        table.push_back({std::string(name), value.is_null() ? "-" : shown_value});
    }
    if (call.json()) print_json(call.out, document);
    else print_table(call.out, table);
    return done;
}

std::vector<uuid> chosen_mails(invocation& call) {
    bool const by_id = call.has("--id");
    if (by_id == call.has("--all-dead")) throw usage_error("give either --id or --all-dead");
    if (!by_id)
        return ids_of(call.database().run(select_dead_sql, pg::params{}.optional_text(call.find("--organization"))));
    if (call.has("--organization")) throw usage_error("--organization goes with --all-dead");
    std::vector<uuid> ids;
    for (auto const& text : call.list("--id")) ids.push_back(id_of(text));
    return ids;
}

int resend(invocation& call) {
    auto const asked = chosen_mails(call);
    auto const again = ids_of(call.database().run(resend_sql, pg::params{}.id_array(asked)));
    boost::json::array resent;
    boost::json::array left;
    for (auto const& id : asked) {
        bool const is_sent_again = std::find(again.begin(), again.end(), id) != again.end();
        (is_sent_again ? resent : left).emplace_back(to_string(id));
    }
    if (call.json()) {
        print_json(call.out, {{"resent", resent}, {"left", left}});
    } else {
        call.out << resent.size() << (resent.size() == 1 ? " mail" : " mails") << " will be sent again\n";
        for (auto const& id : left)
            call.out << id.get_string()
                     << " will not be sent again: it does not exist, or a later mail has been sent\n";
    }
    return left.empty() ? done : partial;
}

} // namespace

std::vector<command> mail_commands() {
    option const organization{"--organization", "SLUG", "only this organization"};
    return {
        {"mail list",
         "List mails, newest first.",
         {{"--dead", "", "dead letters: rejected by the server, or retries exhausted"},
          {"--waiting", "", "mails waiting to be sent"},
          {"--sent", "", "mails accepted by the mail server"},
          organization,
          {"--limit", "N", "maximum number of rows (100)"}},
         list_mail,
         "Names and addresses are not shown."},
        {"mail show",
         "Show one mail's record.",
         {{"--address", "", "also show the recipient (personal data)"}},
         show_mail,
         "The text is not stored: it is composed when the mail is sent, because it contains a secret link.",
         "ID"},
        {"mail resend",
         "Resend mails: dead letters, waiting mails immediately, and sent mails once more.",
         {{"--id", "ID", "mail IDs", false, true}, {"--all-dead", "", "all dead letters"}, organization},
         resend,
         "A mail is not resent if its recipient has received a later mail about the same interview."},
    };
}

} // namespace recruiting::recruitctl
