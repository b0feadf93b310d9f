#include "recruitctl/doctor/redis_check.hpp"

#include "async/task.hpp"
#include "core/error.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "recruitctl/doctor/database_check.hpp"
#include "recruitctl/doctor/installation.hpp"
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
std::string configured(redis::reply const& said, std::string_view name) {
    for (std::size_t i = 0; i + 1 < said.elements.size(); i += 2)
        if (said.elements[i].text == name) return said.elements[i + 1].text;
    return {};
}

clock_facts read_clock(redis::reply const& said, std::chrono::system_clock::time_point asked,
                       std::chrono::system_clock::time_point answered) {
    using std::chrono::microseconds;
    auto const part = [&](std::size_t at) {
        return at < said.elements.size() ? parse_number<std::int64_t>(said.elements[at].text).value_or(0) : 0;
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

redis_facts read(std::vector<redis::reply> const& said) {
    redis_facts out;
    if (said[0].is_error()) throw outage("Redis refuses INFO: " + said[0].text);
    out.version = info(said[0].text, "redis_version");
    out.role = info(said[0].text, "role");
    out.failed_writes = info(said[0].text, "rdb_last_bgsave_status");
    out.maxmemory = configured(said[1], "maxmemory");
    out.policy = configured(said[1], "maxmemory-policy");
    out.save = configured(said[1], "save");
    out.append_only = configured(said[1], "appendonly");
    out.stop_writes = configured(said[1], "stop-writes-on-bgsave-error");
    return out;
}

struct conversation {
    redis_facts facts;
    std::string why{"no answer in time"};
    bool whole{false};
};

task<void> ask(redis::connection& connection, asio::io_context& context, conversation& into) {
    try {
        auto said = co_await connection.run(questions());
        into.facts = read(said);
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

redis_facts look_at_redis(std::string const& url, std::chrono::milliseconds limit) {
    auto const address = redis::parse_address(url);
    if (!address) throw std::invalid_argument("it is not " + std::string(redis::address_forms));
    asio::io_context context{1};
    conversation told;
    redis::connection* self = nullptr;
    redis::options how;
    how.answer_limit = limit;
    how.connect_limit = limit;
    bool asked = false;
    how.on_state = [&](bool up, std::string_view why) {
        if (!up && !asked) told.why = why;
        if (!up || asked) return;
        asked = true;
        // Not from within the connection's own call.
        asio::post(context, [&] { spawn(context, ask(*self, context, told)); });
    };
    redis::connection connection(context, *address, how);
    self = &connection;
    context.run_for(limit);
    connection.stop();
    if (!told.whole) throw outage(told.why);
    return told.facts;
}

namespace {

constexpr int least_redis_version = 7;

finding check_version(std::string const& version, std::string const& name) {
    auto const check = "versions." + name;
    auto const major = parse_number<int>(std::string_view(version).substr(0, version.find('.')));
    if (!major) return skipped(check, "it does not tell");
    if (*major >= least_redis_version) return ok(check, version);
    return problem(check, "Redis " + version + " is older than 7", "upgrade Redis to 7 or later");
}

finding check_memory(redis_facts const& of, std::string const& name) {
    auto const check = name + ".memory";
    if (of.policy.empty()) return skipped(check, "this user may not run CONFIG GET", "ACL SETUSER … +config|get");
    if (of.policy == "noeviction") return ok(check, "nothing is evicted");
    auto const text = "maxmemory-policy is " + of.policy +
                      ": counts are thrown away when the memory is full, and "
                      "clients may pass their ceiling";
    auto const* const mend = "set maxmemory-policy noeviction in redis.conf, and CONFIG SET it";
    return of.maxmemory == "0" ? warning(check, text + " (it has no limit now)", mend) : problem(check, text, mend);
}

finding check_persistence(redis_facts const& of, std::string const& name) {
    auto const check = name + ".persistence";
    if (of.failed_writes == "err" && of.stop_writes == "yes")
        return problem(check, "the last snapshot failed, so Redis takes no writes: the gateway counts alone",
                       "make room on its disk, or CONFIG SET save \"\": counts live for minutes and need no snapshot");
    if (of.append_only == "yes" || !of.save.empty())
        return ok(check, "counts are also written to its disk; they need not be");
    return ok(check, "counts live in memory only, as they may");
}

} // namespace

findings check_redis(looked<redis_facts> const& facts, std::string const& name, std::string const& url) {
    auto const check = "reach." + name;
    if (url.empty()) return {skipped(check, "no RECRUITING_REDIS_URL is known here", "set it for recruitctl")};
    if (!facts.found)
        return {problem(check, redact_url(url) + ": " + facts.why,
                        "start Redis, or mend RECRUITING_REDIS_URL; until then the gateway counts alone")};
    auto const& of = *facts.found;
    findings out{ok(check, redact_url(url))};
    out.push_back(check_version(of.version, name));
    if (of.role != "master")
        out.push_back(problem(name + ".role", "it is a " + of.role + ": nothing can be counted there",
                              "name the master, or Sentinels (sentinel://…), in RECRUITING_REDIS_URL"));
    out.push_back(check_memory(of, name));
    out.push_back(check_persistence(of, name));
    auto const skew = check_clock({of.clock, {}}, name);
    out.insert(out.end(), skew.begin(), skew.end());
    return out;
}

} // namespace recruiting::recruitctl::doctor
