#include "directory/webhooks.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "directory/webhook_message.hpp"

#include <algorithm>
#include <array>

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_description = 200;
constexpr std::size_t secret_bytes = 32;

#define RECRUITING_WEBHOOK                                                                                             \
    "SELECT w.id, w.url, w.description, array_to_string(w.resources, ','), w.status, w.failing_since, "                \
    "(SELECT min(m.next_attempt_at) FROM recruiting.webhook_messages m WHERE m.webhook_id = w.id "                     \
    "AND m.next_attempt_at < 'infinity'), "                                                                            \
    "(SELECT count(*) FROM recruiting.webhook_messages m WHERE m.webhook_id = w.id), "                                 \
    "CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret_expires_at END, "                           \
    "w.created_at, w.updated_at FROM recruiting.webhooks w "

constexpr auto of_caller_sql =
    RECRUITING_WEBHOOK "WHERE w.organization_id = (SELECT recruiting.current_organization_id()) "
                       "AND ($1::uuid IS NULL OR w.id = $1) ORDER BY w.created_at DESC, w.id";
constexpr auto of_organization_sql = RECRUITING_WEBHOOK "WHERE w.organization_id = $1 ORDER BY w.created_at DESC, w.id";
constexpr auto one_sql = RECRUITING_WEBHOOK "WHERE w.organization_id = $1 AND w.id = $2";
#undef RECRUITING_WEBHOOK

constexpr auto lock_sql =
    "SELECT w.id FROM recruiting.webhooks w WHERE w.organization_id = $1 AND w.id = $2 FOR NO KEY UPDATE";

constexpr auto insert_sql = R"sql(
INSERT INTO recruiting.webhooks (id, organization_id, url, description, resources, secret)
VALUES ($1, $2, $3, $4, $5::text[], $6)
)sql";
// From now on: no transaction below these numbers is still running, and what it wrote is not news.
constexpr auto insert_positions_sql = R"sql(
INSERT INTO recruiting.webhook_positions (webhook_id, resource, organization_id, seen_xid, seen_sequence)
SELECT $1, r, $2, CASE WHEN r NOT IN ('interviews', 'agent_runs', 'audit') THEN pg_snapshot_xmin(pg_current_snapshot()) END,
       CASE WHEN r IN ('interviews', 'agent_runs', 'audit')
            THEN coalesce((SELECT h.sequence FROM recruiting.audit_heads h WHERE h.organization_id = $2), 0) END
FROM unnest($3::text[]) AS r
)sql";
constexpr auto rotate_sql = R"sql(
UPDATE recruiting.webhooks
   SET previous_secret = secret, previous_secret_expires_at = clock_timestamp() + interval '24 hours', secret = $2,
       updated_at = clock_timestamp()
 WHERE id = $1
)sql";

constexpr auto pause_sql = R"sql(
WITH stopped AS (UPDATE recruiting.webhook_messages SET next_attempt_at = 'infinity' WHERE webhook_id = $1)
UPDATE recruiting.webhooks SET status = 'paused', updated_at = clock_timestamp() WHERE id = $1
)sql";
constexpr auto resume_sql = R"sql(
WITH due AS (UPDATE recruiting.webhook_messages SET next_attempt_at = clock_timestamp() WHERE webhook_id = $1)
UPDATE recruiting.webhooks
   SET status = 'active', failures = 0, failing_since = NULL, retry_at = '-infinity', updated_at = clock_timestamp()
 WHERE id = $1
)sql";
// One at a time: however often it is asked for, no more than one waits.
constexpr auto test_sql = R"sql(
WITH waiting AS (UPDATE recruiting.webhook_messages SET next_attempt_at = clock_timestamp()
                  WHERE webhook_id = $1 AND type = 'webhook.test' RETURNING id)
INSERT INTO recruiting.webhook_messages (id, webhook_id, organization_id, type)
SELECT $2, $1, $3, 'webhook.test' WHERE NOT EXISTS (SELECT FROM waiting)
)sql";
constexpr auto remove_sql = "DELETE FROM recruiting.webhooks WHERE id = $1";
// Its message may wait for another attempt still: then it need not wait any longer.
constexpr auto resend_sql = R"sql(
INSERT INTO recruiting.webhook_messages AS m (id, webhook_id, organization_id, type, subject, run, since, created_at)
SELECT d.message_id, d.webhook_id, d.organization_id, d.type, d.subject, d.run, d.since, d.message_created_at
FROM recruiting.webhook_deliveries d WHERE d.webhook_id = $1 AND d.id = $2
ON CONFLICT (id) DO UPDATE SET next_attempt_at = clock_timestamp()
)sql";

constexpr auto deliveries_sql = R"sql(
SELECT d.id, 'msg_' || replace(d.message_id::text, '-', ''), d.type, d.attempted_at, d.status_code, d.failure, d.duration_ms,
       d.excerpt
FROM recruiting.webhook_deliveries d WHERE d.webhook_id = $1 ORDER BY d.attempted_at DESC, d.id DESC LIMIT $2
)sql";

problems check(new_webhook const& wanted, receiver_rules const& rules) {
    problems found;
    found.check("url", wrong_receiver(wanted.url, rules));
    if (wanted.description) found.check("description", wrong_text(*wanted.description, longest_description));
    if (wanted.resources.empty()) found.add("resources", "missing", "at least one resource is required");
    for (auto const& resource : wanted.resources)
        if (!is_webhook_resource(resource))
            found.add("resources", "not_allowed",
                      "must be jobs, candidates, members, pipeline, interviews, agent_runs or audit");
    return found;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

webhook select(pg::client& database, uuid const& organization_id, uuid const& id) {
    auto const found = database.run(one_sql, pg::params{}.id(organization_id).id(id));
    return read_webhook(found[0]);
}

api_error no_webhook(uuid const& id, std::string_view slug) {
    return absent("there is no webhook with the ID " + to_string(id) + " in " + std::string(slug));
}

// Calls change with the webhook, locked until the transaction ends; records it, and commits. change returns what is
// answered, or why it is refused.
template <class Answer, class Change>
result<Answer> change_locked(pg::client& database, std::string_view slug, uuid const& id, std::string_view action,
                             actor const& by, Change const& change) {
    pg::transaction transaction(database);
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    if (database.run(lock_sql, pg::params{}.id(organization->id).id(id)).empty()) return no_webhook(id, slug);
    result<Answer> made = change(organization->id, select(database, organization->id, id));
    if (!made) return made;
    record_change(database, {organization->id, action, "webhook", id}, by);
    transaction.commit();
    return made;
}

api_error not_active() { return refusal("status", "not_allowed", "the webhook is not active: resume it first"); }

} // namespace

webhook read_webhook(pg::row row) {
    webhook w;
    std::string_view names;
    row.read(w.id, w.url, w.description, names, w.status, w.failing_since, w.next_attempt_at)
        .read(w.waiting_messages, w.previous_secret_expires_at, w.created_at, w.updated_at);
    for (auto const name : split(names, ',')) w.resources.emplace_back(name);
    return w;
}

webhook_delivery read_webhook_delivery(pg::row row) {
    webhook_delivery d;
    row.read(d.id, d.message_id, d.type, d.attempted_at, d.status_code, d.failure, d.duration_ms, d.excerpt);
    return d;
}

pg::statement select_webhooks() { return {std::string(of_caller_sql), pg::params{}.null()}; }
pg::statement select_webhook(uuid const& id) { return {std::string(of_caller_sql), pg::params{}.id(id)}; }
pg::statement select_webhook_deliveries(uuid const& webhook) {
    return {std::string(deliveries_sql), pg::params{}.id(webhook).integer(kept_deliveries)};
}

result<created_webhook> create_webhook(pg::client& database, std::string_view slug, new_webhook const& wanted,
                                       receiver_rules const& rules, actor const& by) {
    auto const found = check(wanted, rules);
    if (!found.empty()) return found.error();
    pg::transaction transaction(database);
    auto const organization_id = store::lock_organization(database, slug);
    if (!organization_id) return no_organization(slug);
    auto const there = database.run(of_organization_sql, pg::params{}.id(*organization_id)).size();
    if (there >= webhooks_per_organization)
        return refusal("url", "too_many",
                       "the organization has " + std::to_string(webhooks_per_organization) +
                           " webhooks; delete one first");
    auto const id = new_record_id();
    auto const secret = random_bytes(secret_bytes);
    auto const names = sorted(wanted.resources);
    pg::params values;
    values.id(id)
        .id(*organization_id)
        .text(wanted.url)
        .optional_text(wanted.description)
        .text_array(names)
        .bytes(secret);
    database.run(insert_sql, values);
    database.run(insert_positions_sql, pg::params{}.id(id).id(*organization_id).text_array(names));
    record_change(database, {*organization_id, "webhook.created", "webhook", id}, by);
    auto made = select(database, *organization_id, id);
    transaction.commit();
    return created_webhook{std::move(made), webhook_secret_text(secret)};
}

result<std::vector<webhook>> list_webhooks(pg::client& database, std::string_view slug) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    std::vector<webhook> out;
    auto const found = database.run(of_organization_sql, pg::params{}.id(organization->id));
    for (auto const row : found) out.push_back(read_webhook(row));
    return out;
}

result<webhook> change_webhook(pg::client& database, std::string_view slug, uuid const& id, webhook_change what,
                               actor const& by) {
    constexpr std::array<std::string_view, 4> actions = {"webhook.paused", "webhook.resumed", "webhook.tested",
                                                         "webhook.deleted"};
    auto const change = [&](uuid const& organization_id, webhook const& before) -> result<webhook> {
        bool const is_gone = before.status == "gone";
        switch (what) {
        case webhook_change::pause:
            if (before.status != "active") return not_active();
            database.run(pause_sql, pg::params{}.id(id));
            break;
        case webhook_change::resume:
            if (is_gone || before.status == "active")
                return refusal("status", "not_allowed",
                               is_gone ? "the receiver answered 410: delete this webhook and create another"
                                       : "the webhook is active already");
            database.run(resume_sql, pg::params{}.id(id));
            break;
        case webhook_change::test:
            if (before.status != "active") return not_active();
            database.run(test_sql, pg::params{}.id(id).id(random_id()).id(organization_id));
            break;
        case webhook_change::remove: database.run(remove_sql, pg::params{}.id(id)); return before;
        }
        return select(database, organization_id, id);
    };
    return change_locked<webhook>(database, slug, id, actions[static_cast<std::size_t>(what)], by, change);
}

result<created_webhook> rotate_webhook_secret(pg::client& database, std::string_view slug, uuid const& id,
                                              actor const& by) {
    auto const change = [&](uuid const& organization_id, webhook const&) -> result<created_webhook> {
        auto const secret = random_bytes(secret_bytes);
        database.run(rotate_sql, pg::params{}.id(id).bytes(secret));
        return created_webhook{select(database, organization_id, id), webhook_secret_text(secret)};
    };
    return change_locked<created_webhook>(database, slug, id, "webhook.secret_rotated", by, change);
}

result<webhook> resend_webhook_delivery(pg::client& database, std::string_view slug, uuid const& id,
                                        uuid const& delivery, actor const& by) {
    auto const change = [&](uuid const& organization_id, webhook const& before) -> result<webhook> {
        if (before.status != "active") return not_active();
        if (database.run(resend_sql, pg::params{}.id(id).id(delivery)).affected() == 0)
            return refusal("deliveryId", "unknown_value", "the webhook has no such delivery among its last ones");
        return select(database, organization_id, id);
    };
    return change_locked<webhook>(database, slug, id, "webhook.resent", by, change);
}

result<std::vector<webhook_delivery>> list_webhook_deliveries(pg::client& database, std::string_view slug,
                                                              uuid const& id) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    if (database.run(one_sql, pg::params{}.id(organization->id).id(id)).empty()) return no_webhook(id, slug);
    std::vector<webhook_delivery> out;
    auto const found = database.run(select_webhook_deliveries(id));
    for (auto const row : found) out.push_back(read_webhook_delivery(row));
    return out;
}

} // namespace recruiting::directory
