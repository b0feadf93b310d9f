#include "integration/support/provider_double.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "integration/support/loopback_server.hpp"
#include "integration/support/model_connection.hpp"
#include "support/jose_signer.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <mutex>

namespace recruiting::test {
namespace {

namespace json = boost::json;

constexpr auto document_path = "/.well-known/openid-configuration";

std::map<std::string, std::string> parameters_of(std::string_view query) {
    std::map<std::string, std::string> out;
    for (auto const pair : split(query, '&')) {
        auto const equals = std::min(pair.find('='), pair.size() - 1);
        out[*percent_decode(pair.substr(0, equals), true)] = *percent_decode(pair.substr(equals + 1), true);
    }
    return out;
}

std::int64_t now_in_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

model_answer oauth_error(std::string const& name) { return {json::serialize(json::object{{"error", name}}), 400}; }

} // namespace

struct provider_double::state {
    mutable std::mutex mutex;
    std::string issuer;
    int key_number{1};
    std::unique_ptr<jose_signer> signer = std::make_unique<jose_signer>(jose_signer::kind::rsa, "key-1");
    signing sign;
    json::object document;
    json::object claims{{"sub", "person-1"}, {"email_verified", true}};
    std::optional<json::object> userinfo;
    std::map<std::string, std::optional<model_answer>> answers;
    std::map<std::string, std::map<std::string, std::string>> codes; // the visits that they are of
    std::map<std::string, std::string> last_visit;
    std::vector<model_request_seen> seen;
    bool replays{false};
    std::optional<loopback_server> server; // destroyed first: its threads use all of the above

    void serve(int fd, std::atomic<bool> const& stopping);
    model_answer answer_to(model_request_seen const& request);
    model_answer exchange(model_request_seen const& request);
    std::string id_token(std::map<std::string, std::string> const& visit);
};

void provider_double::state::serve(int fd, std::atomic<bool> const& stopping) {
    model_connection connection(fd, nullptr);
    while (auto const request = connection.read_request()) {
        auto const answer = answer_to(*request);
        if (answer.hangs) {
            connection.wait_until_gone(stopping);
            return;
        }
        if (!connection.send(answer, stopping)) return;
    }
}

model_answer provider_double::state::answer_to(model_request_seen const& request) {
    std::lock_guard const lock(mutex);
    seen.push_back(request);
    if (auto const found = answers.find(request.target); found != answers.end() && found->second) return *found->second;
    if (request.target == document_path) return {json::serialize(document)};
    if (request.target == "/keys") return {signer->jwk_set()};
    if (request.target == "/token") return exchange(request);
    if (request.target == "/me" && userinfo && request.has("Authorization: Bearer access-1"))
        return {json::serialize(*userinfo)};
    return model_answer::error(404);
}

model_answer provider_double::state::exchange(model_request_seen const& request) {
    auto const given = parameters_of(request.body);
    auto const value = [&](std::string const& name) {
        auto const found = given.find(name);
        return found == given.end() ? std::string() : found->second;
    };
    auto const visit = codes.find(value("code"));
    if (visit == codes.end()) return oauth_error("invalid_grant");
    auto const asked = visit->second;
    if (!replays) codes.erase(visit);
    bool const proven = to_base64url(bytes_of(sha256(value("code_verifier")))) == asked.at("code_challenge");
    if (!proven || value("redirect_uri") != asked.at("redirect_uri") || value("grant_type") != "authorization_code")
        return oauth_error("invalid_grant");
    return {json::serialize(json::object{
        {"access_token", "access-1"}, {"token_type", "Bearer"}, {"expires_in", 60}, {"id_token", id_token(asked)}})};
}

std::string provider_double::state::id_token(std::map<std::string, std::string> const& visit) {
    json::object said{{"iss", issuer},
                      {"aud", visit.at("client_id")},
                      {"exp", now_in_seconds() + 300},
                      {"iat", now_in_seconds()},
                      {"nonce", visit.at("nonce")}};
    for (auto const& [name, value] : claims) said[name] = value;
    auto const text = json::serialize(said);
    return sign ? sign(text, signer->public_pem()) : signer->sign("RS256", text);
}

provider_double::provider_double() : state_(std::make_unique<state>()) {
    auto& s = *state_;
    s.server.emplace([&s](int fd, auto const& stopping) { s.serve(fd, stopping); });
    s.issuer = "http://127.0.0.1:" + std::to_string(s.server->port());
    s.document = {{"issuer", s.issuer},
                  {"authorization_endpoint", s.issuer + "/auth"},
                  {"token_endpoint", s.issuer + "/token"},
                  {"jwks_uri", s.issuer + "/keys"},
                  {"response_types_supported", {"code"}},
                  {"id_token_signing_alg_values_supported", {"RS256"}}};
}
provider_double::~provider_double() = default;

std::string provider_double::issuer() const { return state_->issuer; }

std::string provider_double::visit(std::string const& authorization_url) {
    std::lock_guard const lock(state_->mutex);
    auto const asked = parameters_of(std::string_view(authorization_url).substr(authorization_url.find('?') + 1));
    auto const code = "code-" + to_hex(random_bytes(8));
    state_->last_visit = asked;
    state_->codes[code] = asked;
    return "code=" + code + "&state=" + percent_encode(asked.at("state"));
}

std::map<std::string, std::string> provider_double::visited() const {
    std::lock_guard const lock(state_->mutex);
    return state_->last_visit;
}

void provider_double::set_claim(std::string const& name, json::value_ref value) {
    std::lock_guard const lock(state_->mutex);
    state_->claims[name] = json::value(value);
}

void provider_double::remove_claim(std::string const& name) {
    std::lock_guard const lock(state_->mutex);
    state_->claims.erase(name);
}

void provider_double::set_userinfo(json::object claims) {
    std::lock_guard const lock(state_->mutex);
    state_->userinfo = std::move(claims);
    state_->document["userinfo_endpoint"] = state_->issuer + "/me";
}

void provider_double::set_document(std::string const& name, json::value_ref value) {
    std::lock_guard const lock(state_->mutex);
    state_->document[name] = json::value(value);
}

void provider_double::sign_by(signing how) {
    std::lock_guard const lock(state_->mutex);
    state_->sign = std::move(how);
}

void provider_double::rotate_key() {
    std::lock_guard const lock(state_->mutex);
    auto const id = "key-" + std::to_string(++state_->key_number);
    state_->signer = std::make_unique<jose_signer>(jose_signer::kind::rsa, id);
}

void provider_double::answer(std::string const& path, std::optional<model_answer> one) {
    std::lock_guard const lock(state_->mutex);
    state_->answers[path] = std::move(one);
}

void provider_double::allow_replays() {
    std::lock_guard const lock(state_->mutex);
    state_->replays = true;
}

std::vector<model_request_seen> provider_double::requests(std::string const& path) const {
    std::lock_guard const lock(state_->mutex);
    std::vector<model_request_seen> out;
    std::ranges::copy_if(state_->seen, std::back_inserter(out), [&](auto const& one) { return one.target == path; });
    return out;
}

} // namespace recruiting::test
