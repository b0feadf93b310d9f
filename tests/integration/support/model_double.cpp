#include "integration/support/model_double.hpp"

#include "core/text.hpp"
#include "integration/support/loopback_server.hpp"
#include "integration/support/model_connection.hpp"

#include <atomic>
#include <mutex>
#include <optional>

namespace recruiting::test {
namespace {

constexpr char const* models = R"({"object":"list","data":[{"id":"double","object":"model","created":1}]})";

std::string completion(std::string const& message, char const* finish) {
    return R"({"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"double","choices":[{"index":0,)"
           R"("message":)" +
           message + R"(,"finish_reason":")" + finish +
           R"("}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}})";
}

std::string json_text(std::string const& text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

} // namespace

model_answer model_answer::text(std::string const& content) {
    return {completion(R"({"role":"assistant","content":)" + json_text(content) + "}", "stop")};
}

model_answer model_answer::call(std::string const& tool, std::string const& arguments_json) {
    return {completion(R"({"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":)"
                       R"({"name":)" +
                           json_text(tool) + R"(,"arguments":)" + json_text(arguments_json) + "}}]}",
                       "tool_calls")};
}

model_answer model_answer::error(unsigned status, std::string headers) {
    return {R"({"error":{"message":"no","type":"server_error"}})", status, std::move(headers)};
}

struct model_double::state {
    std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> tls{nullptr, SSL_CTX_free};
    std::atomic<int> hanging{0};
    mutable std::mutex mutex;
    script how{[](model_request_seen const&) { return model_answer::text("Fine."); }};
    model_answer models_answer{models};
    std::vector<model_request_seen> requests;
    std::size_t models_requests{0};
    std::optional<loopback_server> server; // destroyed first: its threads use all of the above

    void serve(int fd, std::atomic<bool> const& stopping);
    model_answer answer_to(model_request_seen const& request);
    bool give(model_connection& to, model_answer const& answer, std::atomic<bool> const& stopping);
};

void model_double::state::serve(int fd, std::atomic<bool> const& stopping) {
    model_connection connection(fd, tls.get());
    if (!connection.greet()) return;
    while (auto const request = connection.read_request()) {
        auto const answer = answer_to(*request);
        if (!give(connection, answer, stopping)) break;
    }
}

model_answer model_double::state::answer_to(model_request_seen const& request) {
    script say;
    {
        std::lock_guard const lock(mutex);
        if (request.target == "/v1/models") {
            ++models_requests;
            return models_answer;
        }
        if (request.target != "/v1/chat/completions") return model_answer::error(404);
        requests.push_back(request);
        say = how;
    }
    return say(request);
}

bool model_double::state::give(model_connection& to, model_answer const& answer, std::atomic<bool> const& stopping) {
    if (!answer.hangs) return to.send(answer, stopping);
    ++hanging;
    to.wait_until_gone(stopping);
    --hanging;
    return false;
}

model_double::model_double(std::optional<tls_files> tls) : state_(std::make_unique<state>()) {
    auto& s = *state_;
    if (tls) s.tls.reset(make_tls_context(*tls));
    s.server.emplace([&s](int fd, auto const& stopping) { s.serve(fd, stopping); });
}

model_double::~model_double() = default;

std::string model_double::base_url() const {
    return std::string(state_->tls ? "https" : "http") + "://127.0.0.1:" + std::to_string(state_->server->port()) +
           "/v1";
}

void model_double::answer(std::vector<model_answer> answers) {
    auto const next = std::make_shared<std::atomic<std::size_t>>(0);
    answer_by([answers = std::move(answers), next](model_request_seen const&) {
        auto const at = std::min((*next)++, answers.size() - 1);
        return answers[at];
    });
}

void model_double::answer_by(script how) {
    std::lock_guard const lock(state_->mutex);
    state_->how = std::move(how);
}

void model_double::answer_models(model_answer one) {
    std::lock_guard const lock(state_->mutex);
    state_->models_answer = std::move(one);
}

std::vector<model_request_seen> model_double::requests() const {
    std::lock_guard const lock(state_->mutex);
    return state_->requests;
}

std::size_t model_double::models_requests() const {
    std::lock_guard const lock(state_->mutex);
    return state_->models_requests;
}

int model_double::connections() const { return state_->server->connections(); }
int model_double::hanging() const { return state_->hanging; }

} // namespace recruiting::test
