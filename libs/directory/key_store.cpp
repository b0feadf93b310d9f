#include "directory/store.hpp"

#include "core/text.hpp"

namespace recruiting::directory::store {
namespace {

// ON CONFLICT on the name alone: a secret or a key ID that exists already would be a fault of the random numbers, and
// has to fail loudly.
constexpr std::string_view insert_key_row = R"(
INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment,
    scopes, allowed_ips, expires_at, pepper_fingerprint)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text[], $9::cidr[], $10, $11)
ON CONFLICT (organization_id, name) WHERE revoked_at IS NULL DO NOTHING)";

// Of two creations at once the second waits here for the first, finds the name released, and meets the first one's key
// in the index of names.
// A function of the owner's: in the console the expired key may be another member's, whom the caller may not see.
constexpr std::string_view release_expired_name = "SELECT recruiting.release_expired_key_name($1, $2)";

constexpr std::string_view learn_pepper = "SELECT recruiting.learn_pepper($1)";

// A key with its owner, in the order of read_key. Neither scopes nor blocks hold commas.
#define RECRUITING_KEY "SELECT " RECRUITING_KEY_COLUMNS " FROM " RECRUITING_KEY_SOURCE

// One (by key ID), those not revoked (expired ones are among them), or all. Newest first, which is how the one just
// made is found in a long list.
constexpr std::string_view select_key_rows =
    RECRUITING_KEY "WHERE k.organization_id = $1 AND ($2::uuid IS NULL OR k.id = $2) AND ($3 OR k.revoked_at IS NULL "
                   "OR k.name_released) AND ($4::uuid IS NULL OR k.membership_id = $4) "
                   "ORDER BY k.created_at DESC, k.id";

constexpr std::string_view lock_count_sql = "SELECT recruiting.lock_key_count($1)";

// Which of the organization's keys are in the caller's reach is row-level security's to say (policy by_role): all to
// admins, to others their own. The exact name first (of revoked keys the last one first), then other spellings, then
// longer names: a revoked key's name still tells that a prompt means that key. An expired key whose name another one
// has is not meant by it.
constexpr std::string_view keys_like_sql =
    RECRUITING_KEY "WHERE k.organization_id = (SELECT recruiting.current_organization_id()) "
                   "AND NOT k.name_released AND strpos(lower(k.name), lower($1::text)) > 0 "
                   "ORDER BY k.name <> $1::text, lower(k.name) <> lower($1::text), k.revoked_at DESC NULLS FIRST, k.id "
                   "LIMIT $2::bigint";

constexpr std::string_view live_keys_of_sql =
    RECRUITING_KEY "WHERE k.organization_id = (SELECT recruiting.current_organization_id()) AND k.membership_id = $1 "
                   "AND k.revoked_at IS NULL AND k.expires_at > now() "
                   "ORDER BY k.created_at DESC, k.id DESC LIMIT $2::bigint";
#undef RECRUITING_KEY

// Two revocations at once: the second waits, and then finds the key revoked. By name, the one key that is not revoked
// (a unique index says so) comes first, or else the one revoked last.
constexpr std::string_view lock_key_row = R"(
SELECT id FROM recruiting.api_keys
WHERE organization_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR name = $3)
ORDER BY name_released, revoked_at DESC NULLS FIRST LIMIT 1 FOR UPDATE)";

// The key and its row in the audit log in one statement: where a condition does not hold, neither happens.
constexpr std::string_view revoke_head = R"(
WITH revoked AS (
    UPDATE recruiting.api_keys SET revoked_at = clock_timestamp(), revoked_by = $17, updated_at = clock_timestamp()
    WHERE id = $16 AND revoked_at IS NULL)";
constexpr std::string_view revoke_middle = R"( RETURNING id
), recorded AS ()";
constexpr std::string_view revoke_tail = R"( FROM revoked
)
SELECT id FROM revoked)";

std::vector<std::string> parts(std::string_view joined) {
    std::vector<std::string> out;
    if (joined.empty()) return out;
    for (auto const part : split(joined, ',')) out.emplace_back(part);
    return out;
}

// The condition's own parameters come after those there are already.
std::string numbered(std::string_view condition, std::size_t first) {
    std::string out;
    for (char const c : condition) {
        if (c == '?') out.append("$").append(std::to_string(first++));
        else out += c;
    }
    return out;
}

} // namespace

api_key read_key(pg::row row) {
    api_key k;
    std::string_view scopes, allowed_ips, owner_role;
    row.read(k.id, k.name, k.displayed_prefix, k.environment, scopes, allowed_ips)
        .read(k.owner_id, k.owner_email, owner_role, k.owner_active, k.expires_at, k.revoked_at)
        .read(k.last_used_at, k.last_used_ip, k.created_at, k.owner_name, k.revoked_by, k.pepper_fingerprint);
    k.scopes = parts(scopes);
    k.allowed_ips = parts(allowed_ips);
    k.owner_role = parse_role(owner_role).value();
    return k;
}

bool insert_key(pg::client& database, uuid const& organization_id, api_key const& made, digest const& secret_hash) {
    database.run(release_expired_name, pg::params{}.id(organization_id).text(made.name));
    pg::params values;
    values.id(made.id).id(organization_id).id(made.owner_id).text(made.name).bytes(bytes_of(secret_hash));
    values.text(made.displayed_prefix).text(made.environment).text_array(made.scopes).text_array(made.allowed_ips);
    values.time(made.expires_at).integer(made.pepper_fingerprint.value());
    database.run(learn_pepper, pg::params{}.integer(*made.pepper_fingerprint));
    return database.run(insert_key_row, values).affected() == 1;
}

std::vector<api_key> select_keys(pg::client& database, uuid const& organization_id, bool with_revoked,
                                 std::optional<uuid> const& owner) {
    auto const found =
        database.run(select_key_rows, pg::params{}.id(organization_id).null().boolean(with_revoked).optional_id(owner));
    std::vector<api_key> keys;
    for (auto const row : found) keys.push_back(read_key(row));
    return keys;
}

std::int64_t lock_key_count(pg::client& database, uuid const& member_id) {
    return database.run(lock_count_sql, pg::params{}.id(member_id)).integer(0, 0);
}

std::optional<api_key> lock_key(pg::client& database, uuid const& organization_id, key_selector const& which) {
    pg::params values;
    values.id(organization_id);
    if (auto const* const id = std::get_if<uuid>(&which)) values.id(*id).null();
    else values.null().text(std::get<std::string_view>(which));
    auto const locked = database.run(lock_key_row, values);
    if (locked.empty()) return std::nullopt;
    // Read after the lock is had: what another transaction did meanwhile shows.
    auto const found =
        database.run(select_key_rows, pg::params{}.id(organization_id).id(locked.id(0, 0)).boolean(true).null());
    return read_key(found[0]);
}

pg::statement live_keys_of(uuid const& member_id, std::int64_t most) {
    return {std::string(live_keys_of_sql), pg::params{}.id(member_id).integer(most)};
}

pg::statement keys_like(std::string_view name, std::int64_t most) {
    return {std::string(keys_like_sql), pg::params{}.text(name).integer(most)};
}

pg::statement revocation(uuid const& organization_id, uuid const& key, actor const& by, pg::statement const& only_if) {
    auto out = change_row({organization_id, "key.revoked", "api_key", key}, by);
    out.params.id(key).optional_id(by.member_id);
    std::string sql(revoke_head);
    if (!only_if.sql.empty()) sql.append(" AND ").append(numbered(only_if.sql, out.params.size() + 1));
    out.params.append(only_if.params);
    out.sql = sql.append(revoke_middle).append(out.sql).append(revoke_tail);
    return out;
}

bool revoke_key(pg::client& database, uuid const& organization_id, uuid const& key, actor const& by) {
    return !database.run(revocation(organization_id, key, by)).empty();
}

} // namespace recruiting::directory::store
