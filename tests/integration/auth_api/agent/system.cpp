#include "integration/auth_api/agent/system.hpp"

#include "core/text.hpp"

#include <boost/json.hpp>

namespace recruiting::test {
namespace {

namespace json = boost::json;

std::optional<std::string> text_of(json::object const& from, char const* name) {
    auto const* const found = from.if_contains(name);
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return std::string(found->get_string().c_str());
}

agent_answer read_answer(http_answer raw, bool of_session) {
    agent_answer out;
    out.status = raw.status;
    auto const body = json::parse(raw.body).as_object();
    out.raw = std::move(raw);
    if (out.status != 200) {
        out.code = text_of(body.at("error").as_object(), "code").value_or("");
        return out;
    }
    auto const& record = of_session ? body.at("data").as_object() : body;
    out.session_id = text_of(record, of_session ? "id" : "sessionId").value_or("");
    out.reply = text_of(record, "reply");
    out.state = text_of(record, "status").value_or("");
    out.replay = !of_session && record.at("idempotentReplay").as_bool();
    out.error = text_of(record, "error");
    out.failed_correlation_id = text_of(record, "failedCorrelationId");
    out.correlation_id = text_of(record, "correlationId");
    return out;
}

} // namespace

agent_answer read_invoke_answer(http_answer raw) { return read_answer(std::move(raw), false); }
agent_answer read_session_answer(http_answer raw) { return read_answer(std::move(raw), true); }

std::string prompt_body(std::string const& prompt) {
    std::string out = R"({"prompt":)";
    append_json_string(out, prompt);
    return out + "}";
}

std::string key_line(std::string const& idempotency_key) {
    return idempotency_key.empty() ? "" : "Idempotency-Key: " + idempotency_key + "\r\n";
}

held_model::held_model(model_double& model, std::string reply) {
    model.answer_by([released = released_, reply = std::move(reply)](model_request_seen const&) {
        while (!*released) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        return model_answer::text(reply);
    });
}

agent_system::agent_system(auth_api_harness::adjustment more) {
    make_organization(database.owner(), slug);
    secret = make_key(database.owner(), slug, admin, {"*"}).secret;
    adjust = [this, more = std::move(more)](auth_api::settings& config) {
        config.agent.model.base_url = model.base_url();
        config.agent.model.name = "double";
        config.agent.model.retries = 0;
        config.agent.runs_per_organization = 1000;
        config.agent.orphan_interval = std::chrono::milliseconds{20};
        config.agent.heartbeat = std::chrono::milliseconds{100};
        if (more) more(config);
    };
    first = std::make_unique<auth_api_harness>(database.auth_url(), true, adjust);
    start_second();
}

void agent_system::start_second() { second = std::make_unique<auth_api_harness>(database.auth_url(), true, adjust); }

agent_answer agent_system::invoke(auth_api_harness const& at, std::string const& prompt,
                                  std::string const& idempotency_key) const {
    return read_invoke_answer(at.post("/agent/invoke", secret, prompt_body(prompt), key_line(idempotency_key)));
}

agent_answer agent_system::invoke_as(std::string const& other_secret, std::string const& prompt,
                                     std::string const& idempotency_key) const {
    return read_invoke_answer(
        first->post("/agent/invoke", other_secret, prompt_body(prompt), key_line(idempotency_key)));
}

agent_answer agent_system::resume(std::string const& session_id, std::string const& prompt) const {
    return resume_as(secret, session_id, prompt);
}

agent_answer agent_system::resume_as(std::string const& other_secret, std::string const& session_id,
                                     std::string const& prompt) const {
    auto body = prompt_body(prompt);
    body.insert(1, R"("sessionId":")" + session_id + R"(",)");
    return read_invoke_answer(first->post("/agent/invoke", other_secret, body));
}

agent_answer agent_system::session(auth_api_harness const& at, std::string const& id) const {
    return read_session_answer(at.get("/agent/sessions/" + id, secret));
}

std::string agent_system::key_of(role held, std::vector<std::string> const& scopes) {
    auto const email = new_slug() + "@" + slug + ".example";
    make_member(database.owner(), slug, email, held);
    return make_key(database.owner(), slug, email, scopes).secret;
}

std::string agent_system::admin_key(std::vector<std::string> const& scopes) {
    return make_key(database.owner(), slug, admin, scopes).secret;
}

std::string agent_system::value(std::string const& sql) {
    return std::string(database.owner().run("SELECT (" + sql + ")::text").text(0, 0));
}

bool agent_system::run_ends_as(std::string const& status) {
    return eventually([&] {
        return value("SELECT count(*) FROM recruiting.agent_runs WHERE status = 'in_progress'") == "0" &&
               value("SELECT status FROM recruiting.agent_runs ORDER BY started_at DESC LIMIT 1") == status;
    });
}

void agent_system::expire_leases() {
    database.owner().run("UPDATE recruiting.agent_runs SET lease_expires_at = clock_timestamp() - interval '1 second' "
                         "WHERE status = 'in_progress'");
}

} // namespace recruiting::test
