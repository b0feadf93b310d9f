#include "auth/authenticate_store.hpp"

#include "core/text.hpp"

namespace recruiting::auth {
namespace {

// Finds the key by its hash and its owner's membership as they are now, and sets the tenant, member and role for the
// rest of this transaction: row-level security of every later statement of the segment reads them. A key that is not
// active sets no tenant, so those statements return nothing.
// The LATERAL chain fixes the order: the hash is set before api_keys is read (its policy asks for it), the tenant
// before memberships and users are. OFFSET 0 keeps the planner from pulling the steps together.
constexpr auto authenticate_sql = R"sql(
SELECT k.id, k.organization_id, m.id, k.name, k.displayed_prefix, k.environment,
       array_to_string(k.scopes, ' '), array_to_string(k.allowed_ips, ' '), k.created_at, k.expires_at,
       k.revoked_at IS NOT NULL, k.expires_at <= now(), m.status = 'active', m.role, m.name, m.email,
       set_config('recruiting.organization_id', CASE WHEN k.usable AND m.status = 'active'
                                                     THEN k.organization_id::text ELSE '' END, true),
       set_config('recruiting.member_id', m.id::text, true),
       set_config('recruiting.role', m.role, true)
FROM (SELECT $1::bytea AS hash, set_config('recruiting.secret_hash', encode($1::bytea, 'hex'), true)) AS secret
CROSS JOIN LATERAL (
    SELECT id, organization_id, membership_id, name, displayed_prefix, environment, scopes, allowed_ips, created_at,
           expires_at, revoked_at, revoked_at IS NULL AND expires_at > now() AS usable
    FROM recruiting.api_keys WHERE secret_hash = secret.hash AND secret.set_config IS NOT NULL OFFSET 0) AS k
CROSS JOIN LATERAL (
    SELECT set_config('recruiting.organization_id', k.organization_id::text, true) AS tenant OFFSET 0) AS t
CROSS JOIN LATERAL (
    SELECT member.id, member.status, member.role, person.name, person.email
    FROM recruiting.memberships member
    JOIN recruiting.users person ON person.id = member.user_id
    WHERE member.id = k.membership_id AND t.tenant IS NOT NULL OFFSET 0) AS m
)sql";

credential_state state_of(bool revoked, bool expired, bool member_active) {
    if (revoked) return credential_state::revoked;
    if (expired) return credential_state::expired;
    return member_active ? credential_state::active : credential_state::inactive;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (auto const word : split(text, ' '))
        if (!word.empty()) out.emplace_back(word);
    return out;
}

} // namespace

pg::statement authenticate(digest const& secret_hash) {
    pg::statement out{authenticate_sql, {}};
    out.params.bytes(bytes_of(secret_hash));
    return out;
}

std::optional<principal> read_principal(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    principal who;
    who.credential_id = rows.id(0, 0);
    who.organization_id = rows.id(0, 1);
    who.member_id = rows.id(0, 2);
    who.credential_name = rows.text(0, 3);
    who.displayed_prefix = rows.text(0, 4);
    who.environment = rows.text(0, 5);
    who.granted = words(rows.text(0, 6));
    for (auto const& text : words(rows.text(0, 7)))
        if (auto const network = parse_network(text)) who.allowed_ips.push_back(*network);
    who.created_at = rows.time(0, 8);
    who.expires_at = rows.time(0, 9);
    who.state = state_of(rows.boolean(0, 10), rows.boolean(0, 11), rows.boolean(0, 12));
    who.role = parse_role(rows.text(0, 13)).value_or(recruiting::role::viewer);
    who.member_name = rows.text(0, 14);
    who.member_email = rows.text(0, 15);
    who.scopes = expand(who.granted);
    who.effective = who.scopes & role_allows(who.role);
    return who;
}

} // namespace recruiting::auth
