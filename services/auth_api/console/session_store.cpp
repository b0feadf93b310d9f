#include "auth_api/console/session_store.hpp"

#include "core/text.hpp"
#include "mail/address.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api::console {
namespace {

// Fixed windows on the clock, as all limits. The client is counted first: what it is refused counts for no address.
// What is beyond an address's limit is accepted and forgotten, so that nobody learns who else asked for it.
constexpr auto insert_request_sql = R"sql(
WITH hour AS (SELECT date_bin('1 hour', now(), 'epoch'::timestamptz) AS begins),
client AS (
    INSERT INTO recruiting.sign_in_counts AS n (subject, hour, requests)
    SELECT sha256(convert_to('client ' || $3::text, 'UTF8')), begins, 1 FROM hour
        ON CONFLICT (subject, hour) DO UPDATE SET requests = n.requests + 1 WHERE n.requests < $4::bigint
    RETURNING true),
address AS (
    INSERT INTO recruiting.sign_in_counts AS n (subject, hour, requests)
    SELECT sha256(convert_to('address ' || $6::text, 'UTF8')), begins, 1 FROM hour WHERE EXISTS (SELECT FROM client)
        ON CONFLICT (subject, hour) DO UPDATE SET requests = n.requests + 1 WHERE n.requests < $5::bigint
    RETURNING true),
written AS (
    INSERT INTO recruiting.sign_in_requests (email_key, language) SELECT $1::text, $2::text FROM address)
SELECT EXISTS (SELECT FROM client), ceil(extract(epoch FROM begins + interval '1 hour' - now()))::bigint FROM hour
)sql";

constexpr auto present_link_sql = "SELECT set_config('recruiting.sign_in_token', $1::text, true)";
constexpr auto select_link_sql = R"sql(
SELECT email, expires_at FROM recruiting.presented_sign_in WHERE NOT $1::boolean OR recruiting.presented_by_operator()
)sql";

constexpr auto admit_identified_sql = "SELECT recruiting.admit_identified($1::bytea, $2::text, $3::text)";

constexpr auto open_session_sql = R"sql(
SELECT recruiting.open_session($1::uuid, $2::bytea, recruiting.stored_session_hash($3::bytea, $10::bytea), $4::bigint * interval '1 millisecond',
                               $5::bigint * interval '1 millisecond', $6::inet, $7::text, $8::text, $9::boolean)
)sql";
constexpr auto choose_organization_sql =
    "SELECT recruiting.choose_organization($1::uuid, $2::inet, $3::text, $4::text)";

// What of a person's organizations the console offers: those they are a member of, and those they are invited to.
constexpr auto select_organizations_sql = R"sql(
SELECT chosen, id, slug, name, role, time_zone, membership_id, title FROM recruiting.session_organizations
 ORDER BY lower(name), id LIMIT 1000
)sql";

constexpr auto select_sessions_sql = R"sql(
SELECT s.id, s.created_at, s.last_seen_at, s.expires_at, host(s.ip_address), s.user_agent,
       s.id = (SELECT p.id FROM recruiting.presented_session p)
  FROM recruiting.console_sessions s
 WHERE s.user_id = (SELECT recruiting.current_session_user_id()) AND s.expires_at > now() AND s.idle_expires_at > now()
 ORDER BY s.created_at DESC, s.id
)sql";

constexpr auto sign_out_sql = "SELECT recruiting.sign_out($1::uuid, $2::boolean, $3::inet, $4::text, $5::text)";

// Another thread may have written a later use. Locked in the order of the ids, because other threads write the same
// sessions at the same time.
constexpr auto write_uses_sql = R"sql(
WITH due AS (
    SELECT s.id, u.used_at
      FROM recruiting.console_sessions s
      JOIN unnest($1::uuid[], $2::timestamptz[]) AS u (id, used_at) ON u.id = s.id
     WHERE s.last_seen_at < u.used_at
     ORDER BY s.id FOR NO KEY UPDATE OF s
)
UPDATE recruiting.console_sessions s
   SET last_seen_at = due.used_at,
       idle_expires_at = least(s.expires_at, greatest(s.idle_expires_at,
                                                      due.used_at + $3::bigint * interval '1 millisecond'))
  FROM due WHERE s.id = due.id
)sql";

// One site has an IPv6 /64 for itself.
std::string network_of(std::optional<ip_address> const& client) {
    if (!client) return "unknown";
    return to_string(client->is_v4() ? *client : first_bits(*client, 64));
}

std::optional<std::string> address_of(sender const& from) {
    if (!from.client) return std::nullopt;
    return to_string(*from.client);
}

} // namespace

std::vector<pg::statement> insert_link_request(std::string_view address_key, std::optional<std::string> const& language,
                                               std::optional<ip_address> const& client, link_limits const& limits) {
    return {pg::as_worker("console"),
            {insert_request_sql, pg::params()
                                     .text(address_key)
                                     .optional_text(language)
                                     .text(network_of(client))
                                     .integer(limits.per_client)
                                     .integer(limits.per_address)
                                     .text(mail::counted_mailbox(address_key))}};
}

std::optional<std::int64_t> read_link_refusal(pg::rows const& rows) {
    if (rows.boolean(0, 0)) return std::nullopt;
    return rows.integer(0, 1);
}

pg::statement present_link(digest const& token_hash) {
    return {present_link_sql, pg::params().text(to_hex(bytes_of(token_hash)))};
}

pg::statement select_link(link_origin accepted) {
    return {select_link_sql, pg::params().boolean(accepted == link_origin::operators)};
}

std::vector<pg::statement> present_identified(digest const& token_hash, mail::address const& claimed) {
    return {pg::as_worker("openid_connect"),
            {admit_identified_sql,
             pg::params().bytes(bytes_of(token_hash)).text(claimed.canonical).text(local_part_ignoring_case(claimed))},
            present_link(token_hash)};
}

pg::statement open_session(new_session const& made, link_origin accepted, sender const& from) {
    pg::params values;
    values.id(made.id).bytes(bytes_of(made.hash));
    if (made.replaced) values.bytes(bytes_of(made.replaced->hash));
    else values.null();
    values.integer(made.lifetime.count()).integer(made.idle_expiry.count());
    values.optional_text(address_of(from)).text(from.user_agent).text(from.request_id);
    values.boolean(accepted == link_origin::operators);
    if (made.replaced && made.replaced->previous_hash) values.bytes(bytes_of(*made.replaced->previous_hash));
    else values.null();
    return {open_session_sql, std::move(values)};
}

pg::statement choose_organization(uuid const& organization, sender const& from) {
    return {choose_organization_sql,
            pg::params().id(organization).optional_text(address_of(from)).text(from.user_agent).text(from.request_id)};
}

pg::statement select_organizations() { return {select_organizations_sql, {}}; }
pg::statement select_sessions() { return {select_sessions_sql, {}}; }

pg::statement sign_out(sessions_ending which, sender const& from) {
    return {sign_out_sql, pg::params()
                              .optional_id(which.one)
                              .boolean(which.everywhere)
                              .optional_text(address_of(from))
                              .text(from.user_agent)
                              .text(from.request_id)};
}

std::vector<pg::statement> write_session_uses(std::vector<noted_use> const& uses,
                                              std::chrono::milliseconds idle_expiry) {
    std::vector<uuid> ids;
    std::vector<std::string> times;
    for (auto const& use : uses) {
        ids.push_back(use.id);
        times.push_back(format_time_micros(use.at));
    }
    return {pg::as_worker("session_use"),
            {write_uses_sql, pg::params().id_array(ids).text_array(times).integer(idle_expiry.count())}};
}

} // namespace recruiting::auth_api::console
