#include "recruitctl/erasure/export_store.hpp"

#include "core/text.hpp"
#include "recruitctl/erasure/agent_store.hpp"

namespace recruiting::recruitctl::erasure {
namespace {

namespace json = boost::json;

// Whole rows: a column that a migration adds is exported without a change here. Left out is what PostgreSQL derives.
constexpr std::string_view select_candidates = R"(
SELECT id, (to_jsonb(c) - '{organization_id,record,sort_name,email_key,changed_xid}'::text[])::text
  FROM recruiting.candidates c WHERE id = ANY ($1::uuid[]) ORDER BY id)";
constexpr std::string_view select_applications = R"(
SELECT (to_jsonb(a) - '{organization_id,candidate_id,candidate_created_at}'::text[]
        || jsonb_build_object('job_title', j.title, 'stage_name', s.name))::text
  FROM recruiting.applications a
  JOIN recruiting.jobs j ON j.id = a.job_id
  JOIN recruiting.stages s ON s.id = a.stage_id
 WHERE a.candidate_id = $1 ORDER BY a.applied_at, a.id)";
constexpr std::string_view select_bookings = R"(
SELECT id, (to_jsonb(b) - '{organization_id,candidate_id}'::text[])::text
  FROM recruiting.bookings b WHERE candidate_id = $1 ORDER BY created_at, id)";
constexpr std::string_view select_mails = R"(
SELECT jsonb_build_object('audience', audience, 'kind', kind, 'status', status, 'starts_at', starts_at, 'created_at', created_at,
                          'finished_at', finished_at)::text
  FROM recruiting.mail_outbox WHERE booking_id = $1 ORDER BY created_at, id)";
constexpr std::string_view select_requests = R"(
SELECT (to_jsonb(r) - '{organization_id,attempts,leased_until,excess}'::text[])::text
  FROM recruiting.booking_requests r WHERE id = ANY ($1::uuid[])
UNION ALL
SELECT (to_jsonb(u) - '{organization_id,email_key}'::text[])::text
  FROM recruiting.unmatched_booking_requests u WHERE organization_id = $2 AND email_key = ANY ($3::text[]))";

// "stage_id" as "stageId".
std::string api_name(std::string_view column) {
    std::string name;
    bool up = false;
    for (char const c : column) {
        if (c == '_') up = true;
        else name += std::exchange(up, false) ? to_upper(std::string_view(&c, 1)) : std::string(1, c);
    }
    return name;
}

// What PostgreSQL gives as "…-…" is an id without dashes in the API.
json::value api_value(json::value const& of) {
    if (!of.is_string() || of.get_string().size() != 36) return of;
    auto const id = parse_id(of.get_string());
    return id ? json::value(recruiting::to_string(*id)) : of;
}

json::object api_record(std::string_view row) {
    json::object record;
    auto const columns = json::parse(json::string_view(row.data(), row.size())).as_object();
    for (auto const& [column, value] : columns) record[api_name(column)] = api_value(value);
    return record;
}

json::array records(pg::rows const& rows) {
    json::array all;
    for (auto row : rows) all.push_back(api_record(row.text()));
    return all;
}

json::array bookings_of(pg::client& database, uuid const& candidate) {
    json::array all;
    auto const rows = database.run(select_bookings, pg::params{}.id(candidate));
    for (auto row : rows) {
        auto const id = row.id();
        auto booking = api_record(row.text());
        booking["mails"] = records(database.run(select_mails, pg::params{}.id(id)));
        all.push_back(std::move(booking));
    }
    return all;
}

json::array candidates_of(pg::client& database, person const& of) {
    json::array all;
    auto const rows = database.run(select_candidates, pg::params{}.id_array(of.candidates));
    for (auto row : rows) {
        auto const id = row.id();
        auto candidate = api_record(row.text());
        candidate["applications"] = records(database.run(select_applications, pg::params{}.id(id)));
        candidate["bookings"] = bookings_of(database, id);
        all.push_back(std::move(candidate));
    }
    return all;
}

json::array agent_texts_of(pg::client& database, person const& of) {
    json::array all;
    read_agent_texts(database, of.organization_id, [&](agent_text const& one) {
        auto const how = of.named.find(one.text);
        if (how == named_by::nothing) return;
        all.push_back({{"sessionId", recruiting::to_string(one.session_id)},
                       {"kind", one.kind},
                       {"writtenAt", format_time(one.written_at)},
                       {"namedBy", to_string(how)},
                       {"text", one.text}});
    });
    return all;
}

} // namespace

json::object export_person(pg::client& database, person const& of) {
    pg::transaction const snapshot(database);
    database.script("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    auto const requests =
        pg::params{}.id_array(find_booking_requests(database, of)).id(of.organization_id).text_array(of.address_keys);
    json::object document{{"exportedAt", format_time(system_time().now())},
                          {"organizationId", recruiting::to_string(of.organization_id)}};
    document["candidates"] = candidates_of(database, of);
    document["bookingRequests"] = records(database.run(select_requests, requests));
    document["agentTexts"] = agent_texts_of(database, of);
    document["notIncluded"] = {"audit log: ids and actions of members, no candidate's data",
                               "agent texts that name the person in another way",
                               "mails in mailboxes",
                               "logs",
                               "backups",
                               "copies made by sync",
                               "the model server"};
    return document;
}

} // namespace recruiting::recruitctl::erasure
