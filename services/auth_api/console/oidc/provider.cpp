#include "auth_api/console/oidc/provider.hpp"

#include "core/log.hpp"

#include <algorithm>

namespace recruiting::auth_api::oidc {
namespace {

using outcome = std::variant<sign_in_problem, person_claims>;

constexpr int most_at_once = 32; // sign-ins of one thread that wait for the provider
constexpr int most_readings = 4; // of one thread, of the provider's document
constexpr std::uint64_t longest_answer = 256 * 1024;

transfer::http_request get_request(std::string url) {
    transfer::http_request out;
    out.url = std::move(url);
    out.headers.emplace_back("Accept: application/json");
    return out;
}

// The answer's body; nullptr: there is none, or a status other than 200.
std::string const* body_of(transfer::http_result const& result) {
    auto const* const answer = std::get_if<transfer::http_answer>(&result);
    return answer != nullptr && answer->status == 200 ? &answer->body : nullptr;
}

std::string failure_text(transfer::http_result const& result) {
    if (auto const* const answer = std::get_if<transfer::http_answer>(&result))
        return "status " + std::to_string(answer->status);
    return transfer::to_string(std::get<transfer::http_failure>(result).why);
}

void log_unavailable(std::string_view what, std::string_view why) {
    log::warning("openid_connect_provider_unavailable", {{"request", what}, {"message", why}});
}

class counted {
public:
    explicit counted(int& count) : count_(count) { ++count_; }
    ~counted() { --count_; }
    counted(counted const&) = delete;
    counted& operator=(counted const&) = delete;

private:
    int& count_;
};

} // namespace

task<transfer::http_result> provider::send(transfer::http_request request, deadline by) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(by - coarse_clock::now());
    if (left.count() <= 0) co_return transfer::http_failure{transfer::http_failure::kind::timed_out, ""};
    request.timeout = left;
    request.connect_timeout = left;
    request.response_limit = longest_answer;
    request.ca_file = config_.ca_file;
    request.proxy = config_.proxy;
    transfer::http_exchange exchange(engine_, std::move(request));
    auto result = co_await exchange.run();
    co_return result;
}

// While one sign-in reads the document again, the others use the older one. Anyone can begin a sign-in: while there is
// no document, and a provider hangs, few read it at once.
task<provider::document_ptr> provider::find_document() {
    auto const now = coarse_clock::now();
    if ((document_ && now < document_until_) || now < document_retry_) co_return document_;
    if (reading_ >= most_readings) co_return document_;
    counted const one(reading_);
    document_until_ = now + config_.failure_pause;
    auto request = get_request(document_url(config_.issuer));
    auto const result = co_await send(std::move(request), now + config_.timeout);
    auto const* const body = body_of(result);
    std::string fault = body != nullptr ? "" : failure_text(result);
    if (body != nullptr) {
        auto read = read_provider_document(*body, config_);
        if (auto* const document = std::get_if<provider_document>(&read)) {
            document_ = std::make_shared<provider_document const>(std::move(*document));
            document_until_ = now + config_.refresh_interval;
            co_return document_;
        }
        fault = std::get<std::string>(read);
    }
    log_unavailable("discovery", fault);
    document_retry_ = coarse_clock::now() + config_.failure_pause;
    co_return document_;
}

// The newest keys are asked for when a token names an unknown one: at most once a pause, whatever tokens name.
task<provider::keys_ptr> provider::find_keys(std::string uri, freshness wanted, deadline by) {
    auto const now = coarse_clock::now();
    bool const known = keys_ && keys_uri_ == uri;
    bool const paused = keys_asked_ && now - *keys_asked_ < config_.key_pause;
    if (known && (wanted == freshness::newest ? paused : now < keys_until_)) co_return keys_;
    keys_asked_ = now;
    auto request = get_request(uri);
    auto const result = co_await send(std::move(request), by);
    auto const* const body = body_of(result);
    auto read = body != nullptr ? jose::key_set::parse(*body) : std::nullopt;
    if (!read) {
        log_unavailable("keys", body != nullptr ? "no JWK Set" : failure_text(result));
        co_return known ? keys_ : nullptr;
    }
    keys_ = std::make_shared<jose::key_set const>(std::move(*read));
    keys_uri_ = std::move(uri);
    keys_until_ = now + config_.refresh_interval;
    co_return keys_;
}

task<outcome> provider::identify(provider_document const& document, flow const& begun, std::string code,
                                 std::string public_url) {
    if (identifying_ >= most_at_once)
        co_return sign_in_problem{sign_in_outcome::provider_unavailable, "too many at once"};
    counted const one(identifying_);
    auto const by = coarse_clock::now() + config_.timeout;
    auto request = token_request(document, config_, begun, code, redirect_uri(public_url));
    auto const result = co_await send(std::move(request), by);
    auto answer = read_token_answer(result);
    if (auto* const problem = std::get_if<sign_in_problem>(&answer)) co_return std::move(*problem);
    auto const tokens = std::get<token_answer>(std::move(answer));
    auto checked = co_await check_token(document, begun, tokens, by);
    auto* const person = std::get_if<person_claims>(&checked);
    bool const asks = person != nullptr && person->email.empty() && !document.userinfo_endpoint.empty() &&
                      !tokens.access_token.empty();
    if (!asks) co_return checked;
    auto claimed = co_await ask_userinfo(document.userinfo_endpoint, tokens.access_token, std::move(*person), by);
    co_return claimed;
}

task<outcome> provider::check_token(provider_document const& document, flow const& begun, token_answer const& answer,
                                    deadline by) {
    std::string_view why;
    for (auto const wanted : {freshness::usual, freshness::newest}) {
        auto const keys = co_await find_keys(document.keys_uri, wanted, by);
        if (!keys) co_return sign_in_problem{sign_in_outcome::provider_unavailable, "keys"};
        token_context const context{begun, answer.access_token, system_time().now(), config_.trusts_email};
        auto read = read_id_token(answer.id_token, *keys, context);
        if (auto* const person = std::get_if<person_claims>(&read)) co_return std::move(*person);
        auto const fault = std::get<token_fault>(read);
        why = fault.why;
        if (!fault.key_is_unknown) break;
    }
    co_return sign_in_problem{sign_in_outcome::response_invalid, std::string(why)};
}

task<outcome> provider::ask_userinfo(std::string url, std::string access_token, person_claims known, deadline by) {
    auto request = get_request(std::move(url));
    request.headers.push_back("Authorization: Bearer " + access_token);
    auto const result = co_await send(std::move(request), by);
    auto const* const body = body_of(result);
    if (body == nullptr)
        co_return sign_in_problem{sign_in_outcome::provider_unavailable, "userinfo: " + failure_text(result)};
    auto claimed = read_userinfo(*body, known, config_.trusts_email);
    if (!claimed) co_return sign_in_problem{sign_in_outcome::response_invalid, "userinfo"};
    co_return std::move(*claimed);
}

} // namespace recruiting::auth_api::oidc
