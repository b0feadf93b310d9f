#include "auth_api/background/tasks.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api::sign_in {
namespace {

constexpr std::int64_t most_at_once = 500;

// One statement for all requests, whomever they name: each is deleted, and each person who is a member or invited is
// written one mail. A request that an outage has held up for an hour is dropped.
constexpr auto process_sql = R"sql(
WITH asked AS (
    DELETE FROM recruiting.sign_in_requests WHERE id IN (
        SELECT id FROM recruiting.sign_in_requests ORDER BY received_at, id LIMIT $1::bigint FOR UPDATE SKIP LOCKED)
    RETURNING email_key, language, received_at),
people AS (
    SELECT DISTINCT ON (p.user_id) p.user_id, p.time_zone, a.language
      FROM asked a JOIN recruiting.sign_in_people p ON p.email_key = a.email_key
     WHERE a.received_at > clock_timestamp() - interval '1 hour'
     ORDER BY p.user_id, a.received_at DESC),
written AS (
    INSERT INTO recruiting.mail_outbox (id, audience, kind, user_id, language, time_zone)
    SELECT gen_random_uuid(), 'member', 'sign_in', user_id, language, coalesce(time_zone, 'UTC') FROM people
    RETURNING id)
SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM written)
)sql";

struct sign_in_task final : pg::periodic_task {
    sign_in_task(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds every,
                 metrics::registry& metrics)
        : pg::periodic_task(context, connection, every, "sign_in_requests_failed"),
          requests(metrics.add_counter("recruiting_auth_api_sign_in_requests_total",
                                       "Processed requests for sign-in links.")),
          mails(metrics.add_counter("recruiting_auth_api_sign_in_mails_total",
                                    "Mails with sign-in links that were written for these requests.")) {}

    task<std::chrono::milliseconds> round() override;

    metrics::counter& requests;
    metrics::counter& mails;
};

// A fixed pace shows nothing about a request in the time of its processing. After a full batch the next begins at once.
task<std::chrono::milliseconds> sign_in_task::round() {
    std::vector<pg::statement> segment = {pg::as_worker("sign_in"), {process_sql, pg::params().integer(most_at_once)}};
    auto const answer = co_await run(std::move(segment));
    auto const& done = answer.back();
    auto const asked = done.integer(0, 0);
    requests.add(static_cast<std::uint64_t>(asked));
    mails.add(static_cast<std::uint64_t>(done.integer(0, 1)));
    co_return asked >= most_at_once ? std::chrono::milliseconds{0} : interval();
}

} // namespace

task_owner start_worker(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
                        metrics::registry& metrics) {
    return task_owner(std::make_shared<sign_in_task>(context, connection, interval, metrics));
}

} // namespace recruiting::auth_api::sign_in
