#include "recruitctl/doctor/servers_check.hpp"

#include "async/task.hpp"
#include "core/error.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "redis/connection.hpp"

#include <boost/asio/post.hpp>

namespace recruiting::recruitctl::doctor {
namespace {

// One connection to Redis, one round of questions.

// "name:value" lines of INFO.
std::string info(std::string_view text, std::string_view name) {
    for (auto line : split(text, '\n')) {
        line = trim(line);
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
            return std::string(line.substr(name.size() + 1));
    }
    return {};
}

// Of CONFIG GET: name, value, name, value.
std::string configured(redis::reply const& reply, std::string_view name) {
    for (std::size_t i = 0; i + 1 < reply.elements.size(); i += 2)
        if (reply.elements[i].text == name) return reply.elements[i + 1].text;
    return {};
}

clock_facts read_clock(redis::reply const& reply, std::chrono::system_clock::time_point asked,
                       std::chrono::system_clock::time_point answered) {
    using std::chrono::microseconds;
    auto const part = [&](std::size_t at) {
        return at < reply.elements.size() ? parse_number<std::int64_t>(reply.elements[at].text).value_or(0) : 0;
    };
    auto const half = std::chrono::duration_cast<microseconds>((answered - asked) / 2);
    return {std::chrono::time_point_cast<microseconds>(asked) + half,
            timestamp(microseconds{part(0) * 1'000'000 + part(1)}), half};
}

redis::batch questions() {
    redis::batch ask;
    ask.add({"INFO"});
    ask.add({"CONFIG", "GET", "*"});
    return ask;
}

redis_facts read(std::vector<redis::reply> const& replies) {
    redis_facts out;
    if (replies[0].is_error()) throw outage("Redis rejects INFO: " + replies[0].text);
    out.version = info(replies[0].text, "redis_version");
    out.role = info(replies[0].text, "role");
    out.failed_writes = info(replies[0].text, "rdb_last_bgsave_status");
    out.maxmemory = configured(replies[1], "maxmemory");
    out.policy = configured(replies[1], "maxmemory-policy");
    out.save = configured(replies[1], "save");
    out.append_only = configured(replies[1], "appendonly");
    out.stop_writes = configured(replies[1], "stop-writes-on-bgsave-error");
    return out;
}

struct conversation {
    redis_facts facts;
    std::string why{"no reply in time"};
    bool whole{false};
};

task<void> ask(redis::connection& connection, asio::io_context& context, conversation& into) {
    try {
        auto replies = co_await connection.run(questions());
        into.facts = read(replies);
        redis::batch time;
        time.add({"TIME"});
        auto const asked = std::chrono::system_clock::now();
        auto const answer = co_await connection.run(std::move(time));
        into.facts.clock = read_clock(answer.front(), asked, std::chrono::system_clock::now());
        into.whole = true;
    } catch (std::exception const& error) {
        into.why = error.what();
    }
    context.stop();
}

} // namespace

redis_facts read_redis(std::string const& url, std::chrono::milliseconds limit) {
    auto const address = redis::parse_address(url);
    if (!address) throw std::invalid_argument("it is not " + std::string(redis::address_forms));
    asio::io_context context{1};
    conversation answers;
    redis::connection* self = nullptr;
    redis::options how;
    how.response_limit = limit;
    how.connect_limit = limit;
    bool asked = false;
    how.on_state = [&](bool up, std::string_view why) {
        if (!up && !asked) answers.why = why;
        if (!up || asked) return;
        asked = true;
        // Not from within the connection's own call.
        asio::post(context, [&] { spawn(context, ask(*self, context, answers)); });
    };
    redis::connection connection(context, *address, how);
    self = &connection;
    context.run_for(limit);
    connection.stop();
    if (!answers.whole) throw outage(answers.why);
    return answers.facts;
}

namespace {

constexpr int least_redis_version = 7;

finding check_version(std::string const& version, std::string const& name) {
    auto const check = "versions." + name;
    auto const major = parse_number<int>(std::string_view(version).substr(0, version.find('.')));
    if (!major) return skipped(check, "the version is not reported");
    if (*major >= least_redis_version) return ok(check, version);
    return problem(check, "Redis " + version + " is older than 7", "upgrade Redis to 7 or later");
}

finding check_memory(redis_facts const& of, std::string const& name) {
    auto const check = name + ".memory";
    if (of.policy.empty()) return skipped(check, "this user may not run CONFIG GET", "ACL SETUSER … +config|get");
    if (of.policy == "noeviction") return ok(check, "nothing is evicted");
    auto const text = "maxmemory-policy is " + of.policy +
                      ": counters are evicted when the memory is full, and clients may exceed their rate limit";
    auto const* const fix = "set maxmemory-policy noeviction in redis.conf, and CONFIG SET it";
    return of.maxmemory == "0" ? warning(check, text + " (it has no limit now)", fix) : problem(check, text, fix);
}

finding check_persistence(redis_facts const& of, std::string const& name) {
    auto const check = name + ".persistence";
    if (of.failed_writes == "err" && of.stop_writes == "yes")
        return problem(check, "the last snapshot failed, so Redis accepts no writes, and the gateway counts locally",
                       "free disk space, or CONFIG SET save \"\": counters live for minutes and need no snapshot");
    if (of.append_only == "yes" || !of.save.empty())
        return ok(check, "counters are also written to disk, which is not needed");
    return ok(check, "counters are kept in memory only");
}

} // namespace

findings check_redis(observed<redis_facts> const& facts, std::string const& name, std::string const& url) {
    auto const check = "reach." + name;
    if (url.empty()) return {skipped(check, "RECRUITING_REDIS_URL is not known here", "set it for recruitctl")};
    if (!facts.found)
        return {problem(check, redact_url(url) + ": " + facts.why,
                        "start Redis, or fix RECRUITING_REDIS_URL; until then the gateway counts locally")};
    auto const& of = *facts.found;
    findings out{ok(check, redact_url(url))};
    out.push_back(check_version(of.version, name));
    if (of.role != "master")
        out.push_back(problem(name + ".role", "it is a " + of.role + ": counters can't be written there",
                              "name the master, or Sentinels (sentinel://…), in RECRUITING_REDIS_URL"));
    out.push_back(check_memory(of, name));
    out.push_back(check_persistence(of, name));
    auto const skew = check_clock({of.clock, {}}, name);
    out.insert(out.end(), skew.begin(), skew.end());
    return out;
}

namespace {

transfer::smtp_security security_of(std::string const& setting, bool this_machine) {
    using transfer::smtp_security;
    if (setting == "off") return smtp_security::off;
    if (setting == "opportunistic") return smtp_security::opportunistic;
    return setting != "required" && this_machine ? smtp_security::off : smtp_security::required;
}

} // namespace

std::optional<transfer::smtp_request> mail_server_of(installed_program const& auth_api) {
    auto const url = auth_api.given("RECRUITING_MAIL_URL");
    bool const tls_from_start = url.starts_with("smtps://");
    if (!tls_from_start && !url.starts_with("smtp://")) return std::nullopt;
    auto const begin = url.find("://") + 3;
    auto const path = url.find('/', begin);
    auto const at = url.rfind('@', path);
    auto const host = at == std::string::npos || at < begin ? begin : at + 1;
    transfer::smtp_request out;
    out.url = url.substr(0, begin) + url.substr(host);
    out.user = auth_api.given("RECRUITING_MAIL_USER");
    out.password = read_secret(auth_api.path(auth_api.given("RECRUITING_MAIL_PASSWORD_FILE"))).value_or("");
    if (host != begin) {
        auto const login = url.substr(begin, host - 1 - begin);
        auto const colon = login.find(':');
        out.user = percent_decode(login.substr(0, colon)).value_or("");
        out.password = colon == std::string::npos ? "" : percent_decode(login.substr(colon + 1)).value_or("");
    }
    bool const here = is_this_machine(host_of(std::string_view(url).substr(host)));
    out.security = security_of(auth_api.given("RECRUITING_MAIL_TLS"), here && !tls_from_start);
    // auth-api refuses these settings: a password goes to no other machine in the clear.
    if (!here && !tls_from_start && out.security != transfer::smtp_security::required) out.user = out.password = "";
    out.ca_file = auth_api.path(auth_api.given("RECRUITING_MAIL_CA_FILE"));
    return out;
}

mail_facts read_mail(installation const& of, std::chrono::milliseconds limit) {
    mail_facts out;
    auto const& auth = of.program("auth-api");
    if (!auth.here) return out;
    auto const url = auth.given("RECRUITING_MAIL_URL");
    out.where = redact_url(url);
    auto server = mail_server_of(auth);
    out.what = server ? mail_facts::kind::smtp : url.empty() ? mail_facts::kind::none : mail_facts::kind::file;
    if (!server) return out;
    server->timeout = server->connect_timeout = limit;
    out.probed = transfer::probe_smtp(*server);
    return out;
}

findings check_mail(observed<mail_facts> const& facts) {
    auto const* const check = "reach.mail";
    auto const* const fix = "fix RECRUITING_MAIL_URL, RECRUITING_MAIL_USER, _PASSWORD_FILE, _TLS or _CA_FILE, or start "
                            "the mail server; mails wait meanwhile";
    if (!facts.found) return {problem(check, facts.why, fix)};
    switch (facts.found->what) {
    case mail_facts::kind::unknown: return {skipped(check, "auth-api is not here", "on its host")};
    case mail_facts::kind::none:
        return {warning(check, "no mail server is set: mails wait in the database until they are dead-lettered",
                        "set RECRUITING_MAIL_URL and RECRUITING_MAIL_FROM for auth-api")};
    case mail_facts::kind::file: return {ok(check, "mails are written to files: " + facts.found->where)};
    case mail_facts::kind::smtp: break;
    }
    if (facts.found->probed.good) return {ok(check, facts.found->where)};
    return {problem(check, facts.found->where + ": " + facts.found->probed.why, fix)};
}

} // namespace recruiting::recruitctl::doctor
