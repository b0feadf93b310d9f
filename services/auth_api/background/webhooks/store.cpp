#include "auth_api/background/webhooks/store.hpp"

#include "core/text.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api::webhooks {
namespace {

constexpr std::int64_t most_of_organization = 4;

constexpr auto write_sql =
    "SELECT moved, ceil(extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::bigint "
    "FROM recruiting.write_webhook_messages($1::integer) AS moved";

// A lease outlives an attempt (15 s) and what is written of it. One that ends much later than any lease lasts, or a
// message that is due much later than any pause lasts, is of a clock that was set back since.
#define RECRUITING_WEBHOOK_FREE                                                                                        \
    "(w.leased_until IS NULL OR w.leased_until <= clock_timestamp() "                                                  \
    "OR w.leased_until > clock_timestamp() + interval '1 hour')"
constexpr auto lease_sql = R"sql(
WITH due AS (
    SELECT m.webhook_id, min(m.next_attempt_at) AS since FROM recruiting.webhook_messages m
     WHERE m.next_attempt_at <= clock_timestamp()
        OR (m.next_attempt_at > clock_timestamp() + interval '12 hours' AND m.next_attempt_at < 'infinity')
     GROUP BY m.webhook_id ORDER BY 2 LIMIT 1000),
placed AS (
    SELECT w.id, due.since, row_number() OVER (PARTITION BY w.organization_id ORDER BY due.since)
               + (SELECT count(*) FROM recruiting.webhooks o
                   WHERE o.organization_id = w.organization_id AND o.leased_until > clock_timestamp()) AS place
      FROM due JOIN recruiting.webhooks w ON w.id = due.webhook_id
     WHERE w.status = 'active' AND )sql" RECRUITING_WEBHOOK_FREE R"sql(),
chosen AS (
    SELECT w.id FROM placed JOIN recruiting.webhooks w ON w.id = placed.id
     WHERE placed.place <= $2::bigint AND w.status = 'active' AND )sql" RECRUITING_WEBHOOK_FREE R"sql(
     ORDER BY placed.since LIMIT $1::bigint FOR NO KEY UPDATE OF w SKIP LOCKED)
UPDATE recruiting.webhooks w SET lease = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 minute'
  FROM chosen WHERE w.id = chosen.id
RETURNING w.id, w.lease
)sql";
#undef RECRUITING_WEBHOOK_FREE

// One that was paused or deleted since is found no more. What is due goes first; once that is delivered, the receiver
// is up, and what waits for another attempt need not wait.
constexpr auto next_sql = R"sql(
WITH held AS (
    UPDATE recruiting.webhooks w SET leased_until = clock_timestamp() + interval '1 minute'
     WHERE w.id = $1::uuid AND w.lease = $2::uuid AND w.status = 'active'
    RETURNING w.id, w.url, w.organization_id, w.failures,
              encode(w.secret, 'hex') || CASE WHEN w.previous_secret_expires_at > clock_timestamp()
                                              THEN ',' || encode(w.previous_secret, 'hex') ELSE '' END AS secrets)
SELECT m.id, m.type, held.organization_id, m.subject, m.run, m.since, m.created_at, held.url, held.failures,
       held.secrets
  FROM held JOIN recruiting.webhook_messages m ON m.webhook_id = held.id
 ORDER BY m.next_attempt_at > clock_timestamp(), m.created_at, m.id LIMIT 1
)sql";

constexpr auto conclude_sql = "SELECT recruiting.conclude_webhook_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9::bigint "
                              "* interval '1 millisecond', "
                              "$10::bigint * interval '1 hour')";

constexpr auto give_back_sql = "UPDATE recruiting.webhooks SET lease = NULL, leased_until = NULL "
                               "WHERE id = $1::uuid AND lease = $2::uuid";

std::vector<pg::statement> as_worker(pg::statement then) { return {pg::as_worker("webhooks"), std::move(then)}; }

} // namespace

std::vector<pg::statement> write_messages(std::int64_t most) {
    auto out = as_worker({write_sql, pg::params().integer(most)});
    out.push_back({"SELECT count(*) FROM recruiting.webhook_messages", {}});
    return out;
}
written read_written(std::span<pg::rows const> answer) {
    return {answer[1].integer(0, 0), std::chrono::milliseconds{answer[1].integer(0, 1)}, answer[2].integer(0, 0)};
}

std::vector<pg::statement> lease_webhooks(std::int64_t most) {
    return as_worker({lease_sql, pg::params().integer(most).integer(most_of_organization)});
}
std::vector<lease> read_leases(std::span<pg::rows const> answer) {
    std::vector<lease> out;
    for (auto row : answer.back()) {
        auto& one = out.emplace_back();
        row.read(one.webhook, one.holder);
    }
    return out;
}

std::vector<pg::statement> next_message(lease const& of) {
    return as_worker({next_sql, pg::params().id(of.webhook).id(of.holder)});
}
std::optional<due_message> read_next(std::span<pg::rows const> answer) {
    auto const& rows = answer.back();
    if (rows.empty()) return std::nullopt;
    due_message out;
    std::string_view secrets;
    rows[0]
        .read(out.what.id, out.what.type, out.what.organization_id, out.what.subject, out.what.run, out.what.since)
        .read(out.what.created_at, out.url, out.failures, secrets);
    for (auto const secret : split(secrets, ',')) out.secrets.push_back(from_hex(secret).value());
    return out;
}

std::vector<pg::statement> conclude(lease const& of, uuid const& message, delivery const& how,
                                    std::chrono::milliseconds pause, std::chrono::hours give_up_after) {
    pg::params values;
    values.id(of.webhook).id(of.holder).id(message).time(how.began);
    if (how.status_code) values.integer(*how.status_code).null();
    else values.null().text(how.failure);
    values.integer(how.took.count()).text(how.excerpt).integer(pause.count()).integer(give_up_after.count());
    return as_worker({conclude_sql, std::move(values)});
}
std::string read_outcome(std::span<pg::rows const> answer) { return std::string(answer.back().text(0, 0)); }

std::vector<pg::statement> give_back(lease const& of) {
    return as_worker({give_back_sql, pg::params().id(of.webhook).id(of.holder)});
}

} // namespace recruiting::auth_api::webhooks
