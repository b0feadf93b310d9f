#include "auth_api/agent/tools/revoke_tool.hpp"

#include "auth/authenticate_store.hpp"
#include "auth_api/agent/run/run_store.hpp"
#include "auth_api/agent/tools/api_keys.hpp"
#include "core/log.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api::agent {
namespace {

constexpr std::string_view needed_scope = "agents:invoke";
constexpr std::int64_t most_found = 200;
constexpr int most_rounds = 3; // the key changed between looking and revoking: look again

using keys = std::vector<directory::api_key>;

prepared_read find_keys(std::string_view name, std::shared_ptr<keys> found) {
    return {{directory::store::keys_like(name, most_found)},
            [found](std::span<pg::rows const> results, render_context const&, http::response&) {
                for (int row = 0; row < results[0].size(); ++row)
                    found->push_back(directory::store::read_key(results[0], row));
                return result<void>{};
            },
            nullptr};
}

directory::actor agent_of(run_context const& run, auth::principal const& who) {
    directory::actor by;
    by.type = "agent";
    by.member_id = who.member_id;
    by.email = who.member_email;
    by.role = to_string(who.role);
    by.credential_id = who.credential_id;
    by.credential_name = who.credential_name;
    by.session_id = run.session_id;
    by.correlation_id = run.run_id;
    by.request_id = run.request_id;
    return by;
}

std::vector<pg::statement> revoke_segment(std::chrono::milliseconds lease, run_context const& run,
                                          auth::principal const& who, uuid const& key) {
    auto segment = hold_run(run, lease);
    segment.insert(segment.begin(), auth::authenticate(run.secret_hash));
    segment.push_back(directory::store::revocation(who.organization_id, key, agent_of(run, who),
                                                   run_is_held(run, lease, needed_scope)));
    return segment;
}

struct looked_up {
    read_outcome read;
    keys found;
};

task<looked_up> look_up(revoke_connections on, run_context const& run, result<std::string> const& name) {
    auto const found = std::make_shared<keys>();
    read_request request{run.secret_hash, {}, needed_scope, make_error(error_code::not_found), {}, {}, on.trace};
    request.facts.client = run.client;
    if (name) request.bound = find_keys(*name, found);
    else request.bound = name.error();
    auto read = co_await execute_read(on.reads, on.signer, request);
    co_return looked_up{std::move(read), std::move(*found)};
}

enum class change { made, run_lost, not_made, failed };

change read_change(run_context const& run, std::vector<pg::rows> const& results) {
    if (!results.back().empty()) return change::made;
    auth::request_facts facts;
    facts.client = run.client;
    auto const who = auth::read_principal(results.front());
    if (!who || auth::authorize(*who, facts, needed_scope)) return change::not_made;
    return results[results.size() - 2].empty() ? change::run_lost : change::not_made;
}

task<change> revoke(revoke_connections on, run_context const& run, auth::principal const& who, uuid const& key) {
    auto segment = revoke_segment(on.lease, run, who, key);
    pg::traced const how{on.trace, "revoke key"};
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
    out.content = revoked_content(key, key.id == out.who->credential_id);
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
    return out.who && sent && out.who->credential_id == sent->id && out.who->state == auth::credential_state::revoked;
}

} // namespace

task<tool_outcome> run_revoke_tool(revoke_connections on, run_context const& run, result<std::string> name,
                                   std::optional<directory::api_key>& sent) {
    tool_outcome out;
    for (int round = 0; round < most_rounds; ++round) {
        auto looked = co_await look_up(on, run, name);
        out = tool_outcome{looked.read.principal, looked.read.error, {}};
        if (revoked_itself(out, sent)) co_return revoked(out, *sent);
        if (out.error) co_return out;
        auto const sent_id = sent ? std::optional(sent->id) : std::nullopt;
        auto const step = decide_revocation({*name, run.prompt, out.who->member_id, sent_id}, looked.found);
        if (step.next == revocation_step::kind::refuse) co_return refused(out, *name, step.why, step.candidates);
        if (step.next == revocation_step::kind::done) co_return revoked(out, step.key);
        sent = step.key;
        auto const made = co_await revoke(on, run, *out.who, step.key.id);
        if (made == change::made) co_return revoked(out, step.key);
        if (made == change::run_lost) co_return refused(out, *name, refusal::run_ended);
        if (made == change::failed) co_return failed(out, error_code::internal_error);
    }
    co_return failed(out, error_code::service_unavailable);
}

} // namespace recruiting::auth_api::agent
