#include "auth/authenticate_store.hpp"

#include "auth/api_key.hpp"
#include "auth/session.hpp"
#include "core/text.hpp"

namespace recruiting::auth {
namespace {

// The columns that a key has, in the order in which read_principal takes them.
#define RECRUITING_KEY_COLUMNS                                                                                         \
    "SELECT c.id, c.organization_id, c.membership_id, c.name, c.displayed_prefix, c.environment, "                     \
    "array_to_string(c.scopes, ' '), array_to_string(c.allowed_ips, ' '), c.created_at, c.expires_at, "                \
    "c.revoked_at, c.expires_at <= now(), c.status, c.role, c.member_name, c.member_email, c.pepper_fingerprint, "
#define RECRUITING_KEY_IS_ACTIVE "c.revoked_at IS NULL AND c.expires_at > now() AND c.status = 'active'"
// h is used inside the LATERAL step and OFFSET 0 keeps the planner from pulling it up, so that the order is the plan's.
#define RECRUITING_PRESENTED_KEYS                                                                                      \
    " CROSS JOIN LATERAL (SELECT * FROM recruiting.presented_credential WHERE secret.h IS NOT NULL OFFSET 0) AS c"

// Finds the key by its hash and its owner's membership as they are now, and sets the tenant, member and role for the
// rest of this transaction, or until the next key authenticates: row-level security of every later statement of the
// segment reads them. A key that is not active sets no tenant, and neither does one that is not known, so those
// statements return nothing.
// The hash is set first, and what an earlier key set is taken back: the view shows the key of that hash only. The
// settings are one column: fewer to describe.
#define RECRUITING_AUTHENTICATE(hash_setting)                                                                          \
    RECRUITING_KEY_COLUMNS                                                                                             \
    "set_config('recruiting.organization_id', CASE WHEN " RECRUITING_KEY_IS_ACTIVE " THEN c.organization_id::text "    \
    "ELSE '' END, true) || set_config('recruiting.member_id', c.membership_id::text, true) || "                        \
    "set_config('recruiting.role', c.role, true) "                                                                     \
    "FROM (SELECT set_config('recruiting." hash_setting "', $1::text, true) || "                                       \
    "set_config('recruiting.organization_id', '', true) || set_config('recruiting.member_id', '', true) || "           \
    "set_config('recruiting.role', '', true) AS h) AS secret" RECRUITING_PRESENTED_KEYS
constexpr auto authenticate_sql = RECRUITING_AUTHENTICATE("secret_hash");
// By either of two hashes of one secret, while the pepper is rotated: a key has one of them.
constexpr auto authenticate_by_either_sql = RECRUITING_AUTHENTICATE("secret_hashes");
#undef RECRUITING_AUTHENTICATE

// Authenticates several keys and gives none its rights yet: a key's tenant, member and role are kept in a setting of
// its place, with blanks between them, and act_as_sql brings them into force. array_position() gives a row's place by
// its own hash, of which each key has $2.
constexpr auto authenticate_all_sql = RECRUITING_KEY_COLUMNS
    "set_config('recruiting.principal_' || (array_position($1::bytea[], c.secret_hash) + $2 - 1) / $2, "
    "CASE WHEN " RECRUITING_KEY_IS_ACTIVE " THEN c.organization_id || ' ' || c.membership_id || ' ' || c.role "
    "ELSE '' END, true), c.secret_hash "
    "FROM (SELECT set_config('recruiting.secret_hashes', $1::bytea[]::text, true) AS h) AS "
    "secret" RECRUITING_PRESENTED_KEYS;

// Sets what the statements after it may read: of the key of one place, or nothing where that key is not active or not
// known. Settings end with the transaction, so what stands there is of its own authenticate_all. The hashes are taken
// back: presented_credential shows no key to the statements after it.
constexpr auto act_as_sql = R"sql(
SELECT set_config('recruiting.organization_id', split_part(rights, ' ', 1), true) ||
       set_config('recruiting.member_id', split_part(rights, ' ', 2), true) ||
       set_config('recruiting.role', split_part(rights, ' ', 3), true) || set_config('recruiting.secret_hashes', '', true)
FROM (SELECT coalesce(current_setting('recruiting.principal_' || $1::text, true), '') AS rights OFFSET 0) AS own
)sql";

// Authenticates a session: the columns that a key has, and those that only a session has. A session that acts in no
// organization has the zero id for it and sets no tenant. $2: its hash under the previous pepper.
constexpr auto authenticate_session_sql = R"sql(
SELECT c.id, coalesce(c.organization_id, '00000000-0000-0000-0000-000000000000'),
       coalesce(c.membership_id, '00000000-0000-0000-0000-000000000000'), ''::text, ''::text, ''::text, '*'::text, ''::text,
       c.created_at, c.expires_at, NULL::timestamptz, false, 'active'::text, coalesce(c.role, ''), c.member_name, c.member_email,
       NULL::bigint, set_config('recruiting.organization_id', coalesce(c.organization_id::text, ''), true) ||
       set_config('recruiting.member_id', coalesce(c.membership_id::text, ''), true) ||
       set_config('recruiting.role', coalesce(c.role, ''), true),
       c.user_id, coalesce(c.organization_slug, ''), c.last_seen_at, c.idle_expires_at
FROM (SELECT set_config('recruiting.session_hash', CASE WHEN $2::bytea IS NULL THEN $1::text ELSE
        encode(recruiting.stored_session_hash(decode($1::text, 'hex'), $2::bytea), 'hex') END, true) AS h) AS secret
CROSS JOIN LATERAL (
    SELECT * FROM recruiting.presented_session WHERE secret.h IS NOT NULL OFFSET 0) AS c
)sql";

credential_state state_of(bool revoked, bool expired, std::string_view status) {
    if (revoked) return credential_state::revoked;
    if (expired) return credential_state::expired;
    return status == "active" ? credential_state::active : credential_state::inactive;
}

// A literal of bytea[].
std::string hashes_of(std::span<credential const> keys) {
    std::string out;
    auto const append = [&](digest const& hash) {
        out.append(out.empty() ? "{" : ",").append(R"("\\x)").append(to_hex(bytes_of(hash))) += '"';
    };
    for (auto const& key : keys) {
        append(key.hash);
        if (key.previous_hash) append(*key.previous_hash);
    }
    return out + '}';
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (auto const word : split(text, ' '))
        if (!word.empty()) out.emplace_back(word);
    return out;
}

} // namespace

credential present_key(pepper_pair const& peppers, std::string_view secret) {
    credential out(hash_secret(peppers.current, secret));
    if (!peppers.previous.empty()) out.previous_hash = hash_secret(peppers.previous, secret);
    return out;
}

credential present_session(pepper_pair const& peppers, std::string_view secret) {
    credential out(hash_session(peppers.current, secret), principal_kind::member);
    if (!peppers.previous.empty()) out.previous_hash = hash_session(peppers.previous, secret);
    return out;
}

pg::statement authenticate_all(std::span<credential const> keys) {
    pg::statement out{authenticate_all_sql, {}};
    out.params.text(hashes_of(keys)).integer(!keys.empty() && keys.front().previous_hash ? 2 : 1);
    return out;
}

pg::statement act_as(std::size_t place) {
    pg::statement out{act_as_sql, {}};
    out.params.integer(place + 1);
    return out;
}

pg::statement authenticate(credential const& presented) {
    auto const hash = to_hex(bytes_of(presented.hash));
    if (presented.kind == principal_kind::member) {
        pg::statement out{authenticate_session_sql, pg::params().text(hash)};
        if (presented.previous_hash) out.params.bytes(bytes_of(*presented.previous_hash));
        else out.params.null();
        return out;
    }
    if (presented.previous_hash) return {authenticate_by_either_sql, pg::params().text(hashes_of({&presented, 1}))};
    return {authenticate_sql, pg::params().text(hash)};
}

std::optional<principal> read_principal(pg::rows const& rows, principal_kind kind) {
    if (rows.empty()) return std::nullopt;
    principal found;
    std::string_view scopes, allowed_ips, status, role;
    bool is_expired{false};
    auto row = rows[0];
    row.read(found.credential_id, found.organization_id, found.member_id, found.credential_name)
        .read(found.displayed_prefix, found.environment, scopes, allowed_ips)
        .read(found.created_at, found.expires_at, found.revoked_at, is_expired)
        .read(status, role, found.member_name, found.member_email, found.pepper_fingerprint)
        .skip(); // the settings
    found.kind = kind;
    found.granted = words(scopes);
    for (auto const& text : words(allowed_ips))
        if (auto const network = parse_network(text)) found.allowed_ips.push_back(*network);
    found.state = state_of(found.revoked_at.has_value(), is_expired, status);
    found.role = parse_role(role).value_or(recruiting::role::viewer);
    found.scopes = expand(found.granted);
    found.effective = found.scopes & role_allows(found.role);
    if (kind != principal_kind::member) return found;
    auto& session = found.session.emplace();
    row.read(session.user_id, session.organization_slug, session.last_seen_at, session.idle_expires_at);
    if (!found.has_organization()) found.effective.reset();
    return found;
}

std::optional<principal> read_principal(pg::rows const& rows, credential const& key) {
    constexpr int hash_column = 18; // of authenticate_all_sql, its last
    for (int row = 0; row < rows.size(); ++row) {
        auto const hash = rows.bytes(row, hash_column);
        if (hash == bytes_of(key.hash) || (key.previous_hash && hash == bytes_of(*key.previous_hash)))
            return read_principal(rows.slice(row, 1));
    }
    return std::nullopt;
}

} // namespace recruiting::auth
