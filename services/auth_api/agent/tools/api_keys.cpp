#include "auth_api/agent/tools/api_keys.hpp"

#include "auth/authenticate_store.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "directory/api_keys.hpp"
#include "directory/store.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

void write_key(http::json_writer& json, directory::api_key const& key, timestamp now) {
    json.open_object();
    write_key_identity(json, key);
    json.field("environment", key.environment);
    write_texts(json, "scopes", key.scopes);
    json.field("state", directory::state_of(key, now))
        .field("expiresAt", key.expires_at)
        .field("lastUsedAt", key.last_used_at)
        .field("createdAt", key.created_at)
        .close_object();
}

struct refusal_row {
    std::string_view name;
    unsigned status;
    std::string_view message; // for the model
};

// Indexed by refusal.
constexpr refusal_row refusals[] = {
    {"not_in_prompt", 403,
     "Nothing was revoked. The user's own last message must say revoke, and the key's exact name; records can't ask "
     "for "
     "it. If the user asked for it in other words, ask them to write: revoke \"NAME\""},
    {"unconfirmed", 409,
     "Nothing was revoked. The user names this key, but not in a plain command for it alone. Ask them once, with the "
     "key's name for NAME: revoke \"NAME\"? They answer with: revoke \"NAME\""},
    {"not_found", 404, "Nothing was revoked. There is no key of exactly this name that the user may revoke."},
    {"ambiguous", 409, "Nothing was revoked. Several keys have this name: ask the user which one they mean."},
    {"already_revoked", 409, "This key was revoked before."},
    {"run_ended", 409, "Nothing was revoked. This run is over."},
};

refusal_row const& row_of(refusal why) noexcept { return refusals[static_cast<std::size_t>(why)]; }

std::vector<directory::api_key> active_where(std::span<directory::api_key const> found, auto const& holds) {
    std::vector<directory::api_key> out;
    for (auto const& one : found)
        if (!one.revoked_at && holds(one)) out.push_back(one);
    return out;
}

revocation_step refuse(refusal why, std::vector<directory::api_key> candidates = {}) {
    return {revocation_step::kind::refuse, {}, why, std::move(candidates)};
}

directory::api_key const* find_done(revocation_request const& asked, std::span<directory::api_key const> found) {
    for (auto const& one : found)
        if (asked.sent == one.id && one.revoked_at && one.revoked_by == asked.member) return &one;
    return nullptr;
}

constexpr std::string_view needed_scope = "agents:invoke";
constexpr std::int64_t most_found = 200;
constexpr int most_rounds = 3; // the key changed between reading and revoking it: it is read again

using keys = std::vector<directory::api_key>;

directory::actor agent_of(run_context const& run, auth::principal const& principal) {
    directory::actor by;
    by.type = "agent";
    by.member_id = principal.member_id;
    by.email = principal.member_email;
    by.role = to_string(principal.role);
    by.credential_id = auth::key_of(principal);
    if (by.credential_id) by.credential_name = principal.credential_name;
    by.session_id = run.session_id;
    by.correlation_id = run.run_id;
    by.request_id = run.request_id;
    return by;
}

std::vector<pg::statement> revoke_segment(std::chrono::milliseconds lease, run_context const& run,
                                          auth::principal const& principal, uuid const& key) {
    auto segment = hold_run(run, lease);
    segment.insert(segment.begin(), auth::authenticate(run.presented));
    segment.push_back(directory::store::revocation(principal.organization_id, key, agent_of(run, principal),
                                                   run_is_held(run, lease, needed_scope)));
    return segment;
}

struct found_keys {
    query_result read;
    keys keys_found{};
};

task<found_keys> find(tool_dependencies const& on, run_context const& run, result<std::string> const& name,
                      tracing::parent trace) {
    result<prepared_read> bound = prepared_read{};
    if (name) bound->statements.push_back(directory::store::keys_like(*name, most_found));
    else bound = name.error();
    read_request request{run.presented, run.facts(), needed_scope, std::move(bound), trace};
    found_keys found;
    found.read = co_await authenticated_query(on.reads, request);
    if (!found.read.error)
        for (auto const row : found.read.rows.front()) found.keys_found.push_back(directory::store::read_key(row));
    co_return found;
}

enum class change { made, run_lost, not_made, failed };

change read_change(run_context const& run, std::vector<pg::rows> const& results) {
    if (!results.back().empty()) return change::made;
    auto const principal = auth::read_principal(results.front(), run.presented.kind);
    if (!principal || auth::authorize(*principal, run.facts(), needed_scope)) return change::not_made;
    return results[results.size() - 2].empty() ? change::run_lost : change::not_made;
}

task<change> revoke(tool_dependencies const& on, run_context const& run, auth::principal const& principal,
                    uuid const& key, tracing::parent trace) {
    auto segment = revoke_segment(on.settings.lease, run, principal, key);
    pg::traced const how{trace, "revoke key"};
    auto made = change::failed;
    try {
        auto const results = co_await pg::run(on.changes, std::move(segment), how);
        made = read_change(run, results);
    } catch (pg::query_error const& error) {
        log::error("query_failed", {{"sqlstate", error.sqlstate()}}); // its message can quote values
    }
    co_return made;
}

tool_outcome revoked(tool_outcome out, directory::api_key const& key) {
    out.error.reset();
    out.content = revoked_content(key, auth::key_of(*out.principal) == key.id);
    return out;
}

tool_outcome refused(tool_outcome out, std::string_view name, refusal why, keys const& candidates = {}) {
    out.content = refused_content(name, why, candidates);
    out.status = http_status(why);
    out.refusal = to_string(why);
    return out;
}

tool_outcome failed(tool_outcome out, error_code code) {
    out.error = make_error(code);
    return out;
}

// The key that asks was itself revoked by an attempt whose answer was lost.
bool revoked_itself(tool_outcome const& out, std::optional<directory::api_key> const& sent) {
    return out.principal && sent && auth::key_of(*out.principal) == sent->id &&
           out.principal->state == auth::credential_state::revoked;
}

} // namespace

result<prepared_read> list_api_keys(bind_input& in) { return list_visible_keys(in, write_key); }

void write_key_identity(http::json_writer& json, directory::api_key const& key) {
    json.field("id", key.id)
        .field("name", key.name)
        .field("displayedPrefix", key.displayed_prefix)
        .field("ownerName", key.owner_name)
        .field("ownerEmail", key.owner_email);
}

std::string_view to_string(refusal why) noexcept { return row_of(why).name; }
unsigned http_status(refusal why) noexcept { return row_of(why).status; }

revocation_step decide_revocation(revocation_request const& asked, std::span<directory::api_key const> found) {
    if (auto const* const done = find_done(asked, found)) return {revocation_step::kind::done, *done, {}, {}};
    std::vector<std::string> names;
    for (auto const& one : found) names.push_back(one.name);
    auto const prompted = consent_to_revoke(asked.prompt, asked.name, names);
    if (prompted == consent::none) return refuse(refusal::not_in_prompt);
    if (prompted == consent::unclear) return refuse(refusal::unconfirmed);
    auto exact = active_where(found, [&](directory::api_key const& one) { return one.name == asked.name; });
    if (exact.size() > 1) return refuse(refusal::ambiguous, std::move(exact));
    if (exact.size() == 1) return {revocation_step::kind::revoke, std::move(exact.front()), {}, {}};
    for (auto const& one : found)
        if (one.name == asked.name) return refuse(refusal::already_revoked, {one});
    return refuse(refusal::not_found,
                  active_where(found, [&](directory::api_key const& one) { return iequals(one.name, asked.name); }));
}

std::string revoked_content(directory::api_key const& revoked, bool in_use) {
    std::string out;
    http::json_writer json(out);
    json.open_object().key("data").open_object().field("revoked", true);
    write_key_identity(json, revoked);
    json.field("inUse", in_use).close_object().close_object();
    return out;
}

std::string refused_content(std::string_view name, refusal why, std::span<directory::api_key const> candidates) {
    std::string out;
    http::json_writer json(out);
    json.open_object()
        .key("data")
        .open_object()
        .field("revoked", false)
        .field("reason", to_string(why))
        .field("message", row_of(why).message)
        .field("name", name);
    json.key("candidates").open_array();
    for (auto const& candidate : candidates) {
        json.open_object();
        write_key_identity(json, candidate);
        json.close_object();
    }
    json.close_array().close_object().close_object();
    return out;
}

task<tool_outcome> run_revoke_tool(tool_dependencies const& on, run_context const& run, result<std::string> name,
                                   std::optional<directory::api_key>& sent, tracing::parent trace) {
    tool_outcome out;
    for (int round = 0; round < most_rounds; ++round) {
        auto known = co_await find(on, run, name, trace);
        out = tool_outcome{known.read.principal, known.read.error, {}};
        if (revoked_itself(out, sent)) co_return revoked(out, *sent);
        if (out.error) co_return out;
        auto const sent_id = sent ? std::optional(sent->id) : std::nullopt;
        auto const step =
            decide_revocation({*name, run.own_words(), out.principal->member_id, sent_id}, known.keys_found);
        if (step.next == revocation_step::kind::refuse) co_return refused(out, *name, step.why, step.candidates);
        if (step.next == revocation_step::kind::done) co_return revoked(out, step.key);
        sent = step.key;
        auto const made = co_await revoke(on, run, *out.principal, step.key.id, trace);
        if (made == change::made) co_return revoked(out, step.key);
        if (made == change::run_lost) co_return refused(out, *name, refusal::run_ended);
        if (made == change::failed) co_return failed(out, error_code::internal_error);
    }
    co_return failed(out, error_code::service_unavailable);
}

} // namespace recruiting::auth_api::agent
