#include "integration/auth_api/agent/sessions_harness.hpp"

#include "core/ids.hpp"

namespace recruiting::test {
namespace {

std::string text_of(boost::json::value const& value) { return std::string(value.as_string()); }

} // namespace

key_holder agent_sessions_fixture::member(std::string const& name, role held) {
    auto const email = name + "@" + slug_ + ".example";
    auto const created = make_member(owner(), slug_, email, role::admin);
    auto const key = make_key(owner(), slug_, email, {"*"});
    key_holder out{email, to_string(created.id), to_string(key.key.id), key.secret};
    set_role(out, std::string(recruiting::to_string(held)));
    return out;
}

void agent_sessions_fixture::set_role(key_holder const& of, std::string const& role) {
    owner().run("UPDATE recruiting.memberships SET role = $1 WHERE id = $2::uuid",
                pg::params{}.text(role).text(of.member_id));
}

std::string agent_sessions_fixture::session(key_holder const& by, std::string const& title, stored_run const& run) {
    auto const id = to_string(new_record_id());
    owner().run("INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, credential_id, title, "
                "status, last_run_at) SELECT $1::uuid, organization_id, id, $3::uuid, $4, $5, now() "
                "FROM recruiting.memberships WHERE id = $2::uuid",
                pg::params{}.text(id).text(by.member_id).text(by.credential_id).text(title).text(run.status));
    static_cast<void>(add_run(id, run));
    return id;
}

std::string agent_sessions_fixture::add_run(std::string const& session, stored_run const& run) {
    auto const id = to_string(new_record_id());
    owner().run(
        "INSERT INTO recruiting.agent_runs (id, organization_id, session_id, membership_id, credential_id, "
        "prompt_hash, status, model, reply, failure, tool_call_count, input_tokens, output_tokens, lease_owner, "
        "lease_expires_at, started_at, finished_at) "
        "SELECT $1::uuid, s.organization_id, s.id, s.membership_id, s.credential_id, sha256('p'), $3::text, 'double', "
        "CASE WHEN $3 = 'completed' THEN $4 END, CASE WHEN $3 = 'failed' THEN 'round_limit' END, 2, 70, 7, $1::uuid, "
        "now() + $5::interval, now() + $6::interval, CASE WHEN $3 <> 'in_progress' THEN now() END "
        "FROM recruiting.agent_sessions s WHERE s.id = $2::uuid",
        pg::params{}.text(id).text(session).text(run.status).text(run.reply).text(run.lease).text(run.started));
    owner().run("UPDATE recruiting.agent_sessions SET status = $2, run_count = run_count + 1, last_run_at = now(), "
                "input_tokens = input_tokens + 70, output_tokens = output_tokens + 7 WHERE id = $1::uuid",
                pg::params{}.text(session).text(run.status));
    return id;
}

std::string agent_sessions_fixture::add_message(std::string const& session, std::string const& role,
                                                std::string const& content, std::string const& tool_calls,
                                                std::string const& tool_name) {
    auto const id = to_string(new_record_id());
    owner().run(
        "INSERT INTO recruiting.agent_messages (id, position, organization_id, session_id, run_id, membership_id, "
        "role, content, tool_calls, tool_name) SELECT $1::uuid, s.message_count, s.organization_id, s.id, "
        "(SELECT r.id FROM recruiting.agent_runs r WHERE r.session_id = s.id ORDER BY r.started_at DESC LIMIT 1), "
        "s.membership_id, $3, $4, nullif($5, ''), nullif($6, '') FROM recruiting.agent_sessions s "
        "WHERE s.id = $2::uuid",
        pg::params{}.text(id).text(session).text(role).text(content).text(tool_calls).text(tool_name));
    owner().run("UPDATE recruiting.agent_sessions SET message_count = message_count + 1 WHERE id = $1::uuid",
                pg::params{}.text(session));
    return id;
}

boost::json::value agent_sessions_fixture::data(std::string const& path, key_holder const& by) const {
    auto const answer = get(path, by);
    INFO(path << ": " << answer.body);
    REQUIRE(answer.status == 200);
    return boost::json::parse(answer.body).at("data");
}

std::vector<std::string> agent_sessions_fixture::titles(std::string const& query, key_holder const& by) const {
    std::vector<std::string> out;
    auto const sessions = data(query, by);
    for (auto const& session : sessions.as_array()) out.push_back(text_of(session.at("title")));
    return out;
}

std::string agent_sessions_fixture::refused_field(std::string const& path, key_holder const& by) const {
    auto const answer = get(path, by);
    INFO(path << ": " << answer.body);
    REQUIRE(answer.status == 400);
    auto const error = boost::json::parse(answer.body).at("error");
    CHECK(error.at("code") == "invalid_request");
    return text_of(error.at("details").at(0).at("field"));
}

} // namespace recruiting::test
