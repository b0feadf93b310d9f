// The checks of what is reached over the network: the programs, Redis, the mail and the model server. Each is asked as
// the programs ask it.
#include "core/file.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "recruitctl/doctor/check.hpp"
#include "recruitctl/web.hpp"
#include "redis/connection.hpp"
#include "redis/sentinels.hpp"
#include "transfer/http_exchange.hpp"

#include <boost/asio/post.hpp>

#include <future>
#include <optional>

namespace recruiting::recruitctl::doctor {
namespace {

// The checks of a readiness answer that are not "ok": "redis: unavailable".
std::string unready(std::string const& body) {
    boost::system::error_code error;
    auto const document = boost::json::parse(body, error);
    auto const* const checks = error ? nullptr : document.find_pointer("/checks", error);
    if (checks == nullptr || !checks->is_object()) return {};
    std::string out;
    for (auto const& [name, state] : checks->get_object()) {
        if (!state.is_string() || state.get_string() == "ok") continue;
        out.append(out.empty() ? "" : ", ").append(name).append(": ").append(state.get_string());
    }
    return out;
}

web_answer ask_admin(endpoint const& admin, std::string const& path, std::chrono::milliseconds limit) {
    auto const where = reachable(admin);
    transfer::http_request request;
    request.unix_path = where.unix_path;
    request.url = "http://" + (where.unix_path.empty() ? to_string(where) : std::string("localhost")) + path;
    return fetch(std::move(request), limit);
}

// ", 0.1.0 (15906567abcd)" of /healthz; empty where it names none.
std::string version_in(std::string const& body) {
    boost::system::error_code error;
    auto const document = boost::json::parse(body, error);
    auto const text_at = [&](char const* pointer) {
        auto const* const found = error ? nullptr : document.find_pointer(pointer, error);
        return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
    };
    auto const version = text_at("/version");
    return version.empty() ? "" : ", " + version + " (" + text_at("/commit") + ")";
}

outcome ask_instance(endpoint const& admin, std::chrono::milliseconds limit) {
    auto const answer = ask_admin(admin, "/readyz", limit);
    if (auto const missing = unready(answer.body); !missing.empty())
        return {answer.status == 200 ? verdict::warning : verdict::problem,
                (answer.status == 200 ? "ready at " : "not ready at ") + to_string(admin) + ": " + missing,
                "fix what is unavailable; the program recovers by itself"};
    if (answer.status != 200) return {verdict::problem, "its admin port " + to_string(admin) + ": " + answer.why};
    return {verdict::ok, "ready at " + to_string(admin) + version_in(ask_admin(admin, "/healthz", limit).body)};
}

// An answer to each of some addresses, asked at the same time.
template <class Address, class Ask>
outcome worst_at(std::vector<Address> const& addresses, Ask const& ask) {
    std::vector<std::future<outcome>> in_progress;
    for (auto const& one : addresses) in_progress.push_back(std::async(std::launch::async, ask, one));
    std::vector<outcome> out;
    for (auto& one : in_progress) out.push_back(one.get());
    return worst_of(std::move(out));
}

redis::batch redis_questions() {
    redis::batch ask;
    ask.add({"ROLE"});
    ask.add({"INFO", "memory"});
    return ask;
}

// Where a program counts, and its files of TLS.
struct redis_server {
    std::string url;
    std::string ca_file;
    tls_files own;
};

// Returns a reply for each question. Throws outage.
std::vector<redis::reply> ask_redis(redis_server const& server, std::chrono::milliseconds limit) {
    redis::address address;
    address.tls.ca_file = server.ca_file;
    address.tls.own = server.own;
    if (auto const wrong = redis::read_address(server.url, address)) throw outage("it " + *wrong);
    asio::io_context context{1};
    std::vector<redis::reply> replies;
    std::string why{"no reply in time"};
    redis::connection* self = nullptr;
    bool asked = false;
    redis::options how;
    how.response_limit = how.connect_limit = limit;
    how.on_state = [&](bool up, std::string_view reason) {
        if (asked) return;
        if (!up) why = reason;
        asked = up;
        // Not from within the connection's own call.
        if (up)
            asio::post(context, [&] {
                self->send(redis_questions(), [&](redis::batch_status, std::vector<redis::reply>& given) {
                    replies = std::move(given);
                    context.stop();
                });
            });
    };
    redis::connection connection(context, address, how);
    self = &connection;
    context.run_for(limit);
    connection.stop();
    if (replies.size() != redis_questions().size()) throw outage(why);
    return replies;
}

// Those that count: the gateway's, public-api's where that has one of its own, else recruitctl's.
std::vector<redis_server> redis_servers(site const& of) {
    std::vector<redis_server> out;
    auto const add = [&](std::string url, std::string const& ca_file, std::string const& certificate) {
        if (url.empty() || std::ranges::find(out, url, &redis_server::url) != out.end()) return;
        auto const own = parse_tls_files(certificate).value_or(tls_files{});
        out.push_back({std::move(url), of.path(ca_file), {of.path(own.certificates), of.path(own.key)}});
    };
    auto const add_of = [&](program const& which, std::string const& setting) {
        add(which.value(setting), which.value("RECRUITING_REDIS_CA_FILE"), which.value("RECRUITING_REDIS_CERTIFICATE"));
    };
    auto const& pages = of.of("public-api");
    bool const separate = !pages.value("RECRUITING_PUBLIC_API_REDIS_URL").empty();
    if (of.of("gateway").here) add_of(of.of("gateway"), "RECRUITING_REDIS_URL");
    if (pages.here) add_of(pages, separate ? "RECRUITING_PUBLIC_API_REDIS_URL" : "RECRUITING_REDIS_URL");
    if (out.empty())
        add(of.own_setting("RECRUITING_REDIS_URL"), of.own_setting("RECRUITING_REDIS_CA_FILE"),
            of.own_setting("RECRUITING_REDIS_CERTIFICATE"));
    return out;
}

// The value of a line "name:value" of INFO; empty: there is none.
std::string_view field_of(std::string_view info, std::string_view name) {
    for (auto line : split(info, '\n')) {
        line = trim(line);
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) return line.substr(name.size() + 1);
    }
    return {};
}

std::int64_t number_of(std::string_view info, std::string_view name) {
    return parse_number<std::int64_t>(field_of(info, name)).value_or(0);
}

outcome const no_redis{verdict::skipped, "RECRUITING_REDIS_URL is not known here", "set it for recruitctl"};

} // namespace

outcome program_ready(site const& of, std::string_view name) {
    auto const addresses = of.of(name).admin();
    if (addresses.empty())
        return {verdict::skipped, "not installed here",
                "run doctor on its host, or with --" + std::string(name) + " HOST:PORT, its admin address"};
    return worst_at(addresses, [limit = of.limit](endpoint const& one) { return ask_instance(one, limit); });
}

outcome through_gateway(site const& of, std::string_view name) {
    auto url = of.url_of_gateway();
    if (url.empty())
        return {verdict::skipped, "where clients reach the gateway is not known here", "--url URL, its address"};
    url += std::string(name == "auth-api" ? "/api/v1" : "/api/public/v1") + "/openapi.json";
    transfer::http_request request;
    request.url = url;
    auto const answer = fetch(std::move(request), of.limit);
    if (answer.status == 200) return {verdict::ok, url};
    if (answer.status == 429)
        return {verdict::skipped, url + ": this address has exceeded its rate limit", "try again in a minute"};
    return {verdict::problem, url + ": " + answer.why};
}

outcome redis_reached(site const& of, std::string_view) {
    auto const servers = redis_servers(of);
    if (servers.empty()) return no_redis;
    return worst_at(servers, [limit = of.limit](redis_server const& one) -> outcome {
        try {
            auto const replies = ask_redis(one, limit);
            if (!replies[0].is_error() && !redis::is_master(replies[0]))
                return {verdict::problem, redact_url(one.url) + ": it is a replica: counters can't be written there"};
            return {verdict::ok, redact_url(one.url)};
        } catch (outage const& error) {
            return {verdict::problem, redact_url(one.url) + ": " + error.what()};
        }
    });
}

outcome redis_memory(site const& of, std::string_view) {
    auto const servers = redis_servers(of);
    if (servers.empty()) return no_redis;
    return worst_at(servers, [limit = of.limit](redis_server const& one) -> outcome {
        auto const info = ask_redis(one, limit)[1];
        if (info.is_error()) return {verdict::skipped, "this user may not run INFO", "ACL SETUSER … +info"};
        return evaluate_memory(info.text);
    });
}

outcome evaluate_memory(std::string_view info) {
    auto const policy = field_of(info, "maxmemory_policy");
    auto const most = number_of(info, "maxmemory");
    if (policy.empty()) return {verdict::skipped, "INFO memory names no maxmemory_policy"};
    if (policy != "noeviction")
        return {most == 0 ? verdict::warning : verdict::problem,
                "maxmemory-policy is " + std::string(policy) + (most == 0 ? " (maxmemory is not limited now)" : "") +
                    ": counters are evicted when the memory is full, and clients may exceed their rate limit"};
    // What Redis itself compares with maxmemory.
    auto const used = number_of(info, "used_memory") - number_of(info, "mem_not_counted_for_evict");
    if (most == 0 || used < most / 10 * 9) return {verdict::ok, "nothing is evicted"};
    return {used >= most ? verdict::problem : verdict::warning,
            std::to_string(used) + " of " + std::to_string(most) + " bytes (maxmemory) are used" +
                (used >= most ? ": Redis refuses to count, and each program counts requests by itself" : ""),
            "raise maxmemory in redis.conf, and CONFIG SET it; give what else is stored there a Redis of its own"};
}

std::optional<transfer::smtp_request> mail_server_of(site const& of) {
    auto const& auth_api = of.of("auth-api");
    auto const url = auth_api.value("RECRUITING_MAIL_URL");
    bool const tls_from_start = url.starts_with("smtps://");
    if (!tls_from_start && !url.starts_with("smtp://")) return std::nullopt;
    auto const begin = url.find("://") + 3;
    auto const at = url.rfind('@', url.find('/', begin));
    auto const host = at == std::string::npos || at < begin ? begin : at + 1;
    transfer::smtp_request out;
    out.url = url.substr(0, begin) + url.substr(host);
    out.user = auth_api.value("RECRUITING_MAIL_USER");
    if (auto const file = of.path(auth_api.value("RECRUITING_MAIL_PASSWORD_FILE")); !file.empty()) {
        if (auto const wrong = read_file(file, out.password)) throw std::runtime_error(*wrong);
        out.password.resize(out.password.find_last_not_of("\r\n") + 1);
    }
    if (host != begin) {
        auto const login = url.substr(begin, host - 1 - begin);
        auto const colon = login.find(':');
        out.user = percent_decode(login.substr(0, colon)).value_or("");
        out.password = colon == std::string::npos ? "" : percent_decode(login.substr(colon + 1)).value_or("");
    }
    bool const here = is_this_machine(host_of(std::string_view(url).substr(host)));
    auto const tls = auth_api.value("RECRUITING_MAIL_TLS");
    using transfer::smtp_security;
    if (tls == "opportunistic") out.security = smtp_security::opportunistic;
    else if (tls == "off" || (tls != "required" && here && !tls_from_start)) out.security = smtp_security::off;
    // auth-api refuses these settings: a password goes to no other machine in the clear.
    if (!here && !tls_from_start && out.security != smtp_security::required) out.user = out.password = "";
    out.ca_file = of.path(auth_api.value("RECRUITING_MAIL_CA_FILE"));
    return out;
}

outcome mail_relay(site const& of, std::string_view) {
    auto const& auth_api = of.of("auth-api");
    if (!auth_api.here) return {verdict::skipped, "auth-api is not installed here", "run doctor on its host"};
    auto const url = auth_api.value("RECRUITING_MAIL_URL");
    if (url.empty())
        return {verdict::warning, "no mail server is set: mails wait in the database until they are dead-lettered",
                "set RECRUITING_MAIL_URL and RECRUITING_MAIL_FROM for auth-api"};
    auto server = mail_server_of(of);
    if (!server) return {verdict::ok, "mails are written to files: " + url};
    server->timeout = server->connect_timeout = of.limit;
    auto const probed = transfer::probe_smtp(*server);
    if (probed.good) return {verdict::ok, redact_url(url)};
    return {verdict::problem, redact_url(url) + ": " + probed.why};
}

outcome model_server(site const& of, std::string_view) {
    auto const& auth_api = of.of("auth-api");
    if (!auth_api.here) return {verdict::skipped, "auth-api is not installed here", "run doctor on its host"};
    auto const base = auth_api.value("RECRUITING_AGENT_MODEL_BASE_URL");
    if (base.empty()) return {verdict::ok, "none is set: the built-in responder answers"};
    transfer::http_request request;
    request.url = url_below(base, "/models");
    auto const key = auth_api.value("RECRUITING_AGENT_MODEL_API_KEY");
    if (!key.empty()) request.headers.push_back("Authorization: Bearer " + key);
    request.ca_file = of.path(auth_api.value("RECRUITING_AGENT_MODEL_CA_FILE"));
    request.proxy = auth_api.value("RECRUITING_AGENT_MODEL_PROXY");
    auto const answer = fetch(std::move(request), of.limit);
    auto const text = redact_url(base) + ": " + answer.why;
    if (answer.status == 0 || answer.status == 401 || answer.status == 403) return {verdict::problem, text};
    return {answer.status >= 400 ? verdict::warning : verdict::ok, text};
}

} // namespace recruiting::recruitctl::doctor
