// member sign-in-link: a link that signs a member in to the console, for a first start and where no mail arrives.
#include "auth/session.hpp"
#include "core/url.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::chrono::minutes least_lifetime{1};
constexpr std::chrono::hours most_lifetime{24};

// The link signs in to this organization; an invited member joins with it. The audit log says that an operator made it.
constexpr std::string_view insert_link_sql = R"(
WITH member AS (
    SELECT m.id, m.organization_id, m.user_id, m.email, u.email_key
      FROM recruiting.memberships m
      JOIN recruiting.users u ON u.id = m.user_id
      JOIN recruiting.organizations o ON o.id = m.organization_id
     WHERE o.slug = $1::text AND u.email_key = $2::text AND m.status IN ('active', 'invited')),
link AS (
    INSERT INTO recruiting.sign_in_tokens (hash, user_id, membership_id, email_key, expires_at, by_operator)
    SELECT $3::bytea, user_id, id, email_key, clock_timestamp() + $4::bigint * interval '1 millisecond', true FROM member
    RETURNING expires_at),
written AS (
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id, success)
    SELECT gen_random_uuid(), clock_timestamp(), organization_id, 'system', 'member.sign_in_link_created', 'member',
           replace(id::text, '-', ''), true
      FROM member)
SELECT member.email, link.expires_at FROM member, link)";

std::string public_url_of(invocation const& call) {
    auto const url = call.find("--url");
    auto const base = url ? *url : call.setting("RECRUITING_PUBLIC_URL").value_or("");
    if (base.empty()) throw usage_error("give --url, or set RECRUITING_PUBLIC_URL: where browsers reach the gateway");
    if (!is_origin(base)) throw usage_error("--url must be http:// or https:// and a host, without a path");
    return base;
}

std::chrono::milliseconds lifetime_of(invocation const& call) {
    auto const lifetime = parse_duration(call.find("--expires-in").value_or("15m"));
    if (!lifetime || *lifetime < least_lifetime || *lifetime > most_lifetime)
        throw usage_error("--expires-in must be a duration from 1m to 24h");
    return *lifetime;
}

int sign_in_link(invocation& call) {
    auto const base = public_url_of(call);
    auto const token = auth::new_session_secret();
    pg::params values;
    auto const email_given = call.get("--email");
    values.text(call.get("--organization")).text(mail::canonical_address(email_given).value_or(email_given));
    values.bytes(bytes_of(auth::hash_sign_in_token(token))).integer(lifetime_of(call).count());
    auto const made = call.database().run(insert_link_sql, values);
    if (made.empty()) throw failure("no one with this address is a member of this organization, or invited");
    auto const link = base + "/console/sign-in#token=" + token;
    std::string const email(made.text(0, 0));
    auto const until = format_time(made.time(0, 1));
    if (call.json()) print_json(call.out, {{"email", email}, {"url", link}, {"expiresAt", until}});
    else call.out << link << '\n';
    call.err << "Signs in " << email << ", once, until " << until << ".\n";
    return done;
}

} // namespace

command sign_in_link_command(option organization, option email) {
    return {
        "member sign-in-link",
        "Print a single-use link that signs a member in to the console.",
        {std::move(organization),
         std::move(email),
         {"--url", "URL", "the gateway's URL for browsers (RECRUITING_PUBLIC_URL)"},
         {"--expires-in", "DURATION", "lifetime of the link, 1m to 24h (15m)"}},
        sign_in_link,
        "Anyone who has the link can sign in as this member, also where members must sign in with OpenID Connect. The "
        "audit log records its creation."};
}

} // namespace recruiting::recruitctl
