// The checks: their table, how they are run, and how their findings are shown.
#include "core/commit.hpp"
#include "core/redact.hpp"
#include "recruitctl/doctor/check.hpp"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <future>
#include <iomanip>
#include <memory>
#include <ostream>
#include <thread>

namespace recruiting::recruitctl::doctor {
namespace {

constexpr auto settings_question = "Does PROGRAM accept its settings?";
constexpr auto settings_advice = "correct the file, then recruiting-PROGRAM-handover, or scripts/up --only PROGRAM; as "
                                 "another user, run doctor as root";
constexpr auto login_question = "Does PROGRAM's database URL log in with PROGRAM's role, on a primary?";
constexpr auto ready_question = "Is PROGRAM running, and ready?";
constexpr auto ready_advice =
    "read the log of PROGRAM, and start it: systemctl start recruiting-PROGRAM, or scripts/up --only PROGRAM";
constexpr auto through_question = "Does a request to PROGRAM come through the gateway?";

constexpr std::array table{
    check{"settings.gateway", settings_question, settings_advice, settings_accepted, "gateway"},
    check{"settings.auth-api", settings_question, settings_advice, settings_accepted, "auth-api"},
    check{"settings.public-api", settings_question, settings_advice, settings_accepted, "public-api"},
    check{"settings.public-url",
          "Do mails and pages link to the same address, in a live installation to an https one of another machine?",
          "set RECRUITING_PUBLIC_URL of auth-api and public-api to the https address that browsers use", public_url},
    check{"reach.postgres", "Does RECRUITING_DATABASE_URL log in as recruiting_owner, on a primary?",
          "start PostgreSQL, or name the primary and recruiting_owner in RECRUITING_DATABASE_URL", postgres_login},
    check{"reach.postgres-auth-api", login_question,
          "fix RECRUITING_AUTH_API_DATABASE_URL: the primary as recruiting_auth", postgres_login, "auth-api"},
    check{"reach.postgres-public-api", login_question,
          "fix RECRUITING_PUBLIC_API_DATABASE_URL: the primary as recruiting_public", postgres_login, "public-api"},
    check{
        "reach.redis", "Does Redis answer, and is it a primary?",
        "start Redis, or name the primary or Sentinels (sentinel://…) in RECRUITING_REDIS_URL; until then each program "
        "counts requests by itself",
        redis_reached},
    check{"reach.gateway", ready_question, ready_advice, program_ready, "gateway"},
    check{"reach.auth-api", ready_question, ready_advice, program_ready, "auth-api"},
    check{"reach.public-api", ready_question, ready_advice, program_ready, "public-api"},
    check{"reach.through-to-auth-api", through_question,
          "start the gateway and auth-api; let RECRUITING_GATEWAY_AUTH_API name where auth-api listens",
          through_gateway, "auth-api"},
    check{"reach.through-to-public-api", through_question,
          "start the gateway and public-api; let RECRUITING_GATEWAY_PUBLIC_API name where public-api listens",
          through_gateway, "public-api"},
    check{
        "reach.mail", "Would the mail server take mails, with TLS and login as auth-api is set? None is sent.",
        "set RECRUITING_MAIL_URL, RECRUITING_MAIL_USER, _PASSWORD_FILE, _TLS and _CA_FILE as the server wants them, or "
        "start it; mails wait meanwhile",
        mail_relay},
    check{"reach.model", "Does the model server answer, and accept its API key?",
          "start the model server, or fix RECRUITING_AGENT_MODEL_BASE_URL and the API key", model_server},
    check{"clock.postgres", "Do the clocks of PostgreSQL's host and of this one agree?",
          "run a time service on both hosts (chrony or systemd-timesyncd): timedatectl status", postgres_clock},
    check{"database.roles", "Do the roles exist, without rights that get past row-level security?",
          "take these rights away, as a superuser", postgres_roles},
    check{"database.encoding", "Does the database store text as UTF-8?",
          "create another one with ENCODING 'UTF8' TEMPLATE template0, recruitctl migrate there, and copy the rows",
          database_encoding},
    check{"database.time-zones", "Does PostgreSQL know the time zones of organizations?",
          "on PostgreSQL's host: apt-get install tzdata tzdata-legacy (Debian 12: tzdata), then restart PostgreSQL",
          database_zones},
    check{"database.durability", "Does PostgreSQL keep after a crash what it has confirmed?",
          "set them on in postgresql.conf, then SELECT pg_reload_conf()", durability},
    check{"database.statistics", "Are PostgreSQL's counters hidden from the services' roles?",
          "as a superuser, in this database: psql --dbname recruiting --file hide_statistics.sql (of "
          "deploy/postgresql, or "
          "/usr/share/recruiting/postgresql)",
          statistics_hidden},
    check{"database.restored",
          "Was a restore, an upgrade or a promotion followed up, so that revoked keys stay revoked?",
          "recruitctl key revoke --from FILE, with what `recruitctl audit head --json` wrote last; or, when no key was "
          "revoked since, recruitctl restore dismiss",
          restore_followed_up},
    check{
        "database.pepper", "Is the pepper's file the one of the API keys, and have all keys moved to it?",
        "recruitctl key list --unmoved lists an organization's keys that have not moved: wait until they are used, or "
        "revoke them, before you remove the previous pepper",
        pepper_matches},
    check{"migrations.schema", "Is the schema the one of this version?", "recruitctl migrate", schema_version},
    check{
        "sealer.lag", "Are audit rows sealed?",
        "look for audit_sealer_failed in the log of auth-api; RECRUITING_AUTH_API_WORKERS must be true in at least one "
        "instance",
        sealing},
    check{"redis.memory", "Does Redis keep its counters when its memory is full, and is memory left?",
          "set maxmemory-policy noeviction in redis.conf, and CONFIG SET it", redis_memory},
    check{
        "certificates.gateway", "Are the gateway's certificates readable, for the public host, and far from their end?",
        "renew it and replace the files: the gateway reloads them; as another user, run doctor as root", certificates},
    check{"host.time-zones", "Is time zone data installed?", "apt-get install tzdata", time_zones},
};

} // namespace

std::span<check const> all_checks() { return table; }

std::string named(std::string_view text, check const& of) {
    return boost::replace_all_copy(std::string(text), std::string_view("PROGRAM"), of.program);
}

namespace {

constexpr std::chrono::milliseconds grace{2'000}; // for what bounds itself, before it is abandoned

std::future<outcome> begin(check const& what, std::shared_ptr<site const> of) {
    std::packaged_task<outcome()> work([&what, of = std::move(of)] { return what.answer(*of, what.program); });
    auto result = work.get_future();
    std::thread(std::move(work)).detach();
    return result;
}

outcome result_of(check const& one, std::future<outcome>& from, std::chrono::steady_clock::time_point deadline) {
    auto const unknown = one.group() == "reach" ? verdict::problem : verdict::skipped;
    try {
        if (from.wait_until(deadline) == std::future_status::ready) return from.get();
        return {unknown, "no reply in time"};
    } catch (std::exception const& error) {
        return {unknown, error.what()};
    }
}

constexpr std::size_t longest_line = 2000;
constexpr int verdict_width = 9;

std::string_view colour_of(verdict is) noexcept {
    switch (is) {
    case verdict::ok: return "\x1b[32m";
    case verdict::warning: return "\x1b[33m";
    case verdict::problem: return "\x1b[1;31m";
    case verdict::skipped: return "\x1b[2m";
    }
    return "";
}

std::string safe(std::string_view text) { return printable(redact_secrets(std::string(text)), longest_line); }

} // namespace

std::string_view to_string(verdict of) noexcept {
    switch (of) {
    case verdict::ok: return "ok";
    case verdict::warning: return "warning";
    case verdict::problem: return "problem";
    case verdict::skipped: break;
    }
    return "skipped";
}

findings diagnose(site of) {
    auto const deadline = std::chrono::steady_clock::now() + of.limit + grace;
    auto const shared = std::make_shared<site const>(std::move(of));
    std::vector<std::future<outcome>> in_progress;
    for (auto const& one : all_checks()) in_progress.push_back(begin(one, shared));
    findings out;
    for (std::size_t i = 0; i < in_progress.size(); ++i) {
        auto const& one = all_checks()[i];
        auto found = result_of(one, in_progress[i], deadline);
        if (found.is == verdict::ok) found.advice.clear();
        else if (found.is != verdict::skipped && found.advice.empty()) found.advice = named(one.advice, one);
        out.push_back({&one, std::move(found)});
    }
    return out;
}

std::size_t count(findings const& all, verdict is) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(all, [&](finding const& one) { return one.found.is == is; }));
}

std::string counted(std::int64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

outcome worst_of(std::vector<outcome> each) {
    auto const worst = std::ranges::max(each, {}, &outcome::is).is;
    outcome out{worst, {}};
    for (auto& one : each) {
        if (one.is != worst) continue;
        out.text += (out.text.empty() ? "" : "; ") + one.text;
        if (out.advice.empty()) out.advice = std::move(one.advice);
    }
    return out;
}

void print_report(std::ostream& out, findings const& all, bool colour) {
    std::size_t width = 0;
    auto const name_of = [](check const& of) { return of.name.substr(of.group().size() + 1); };
    out << "recruitctl " << version_and_commit() << "\n\n";
    for (auto const& one : all) width = std::max(width, name_of(*one.of).size());
    std::string_view group;
    for (auto const& one : all) {
        if (one.of->group() != group) out << (group.empty() ? "" : "\n") << one.of->group() << '\n';
        group = one.of->group();
        out << "  " << (colour ? colour_of(one.found.is) : "") << std::left << std::setw(verdict_width)
            << to_string(one.found.is) << (colour ? "\x1b[0m" : "") << std::setw(static_cast<int>(width) + 2)
            << name_of(*one.of) << safe(one.found.text) << '\n';
        if (!one.found.advice.empty())
            out << std::string(verdict_width + 2, ' ') << "→ " << safe(one.found.advice) << '\n';
    }
    auto const number = [&](verdict is) { return static_cast<std::int64_t>(count(all, is)); };
    out << '\n'
        << number(verdict::ok) << " ok, " << counted(number(verdict::warning), "warning") << ", "
        << counted(number(verdict::problem), "problem") << ", " << number(verdict::skipped) << " skipped\n";
}

boost::json::object to_json(findings const& all) {
    boost::json::array checks;
    for (auto const& [of, found] : all)
        checks.push_back(
            {{"check", of->name},
             {"verdict", to_string(found.is)},
             {"text", safe(found.text)},
             {"fix", found.advice.empty() ? boost::json::value(nullptr) : boost::json::value(safe(found.advice))}});
    boost::json::object counts;
    for (auto const is : {verdict::ok, verdict::warning, verdict::problem, verdict::skipped})
        counts.emplace(to_string(is), count(all, is));
    return {{"recruitctl", {{"version", version()}, {"commit", commit()}}},
            {"healthy", count(all, verdict::problem) == 0},
            {"counts", std::move(counts)},
            {"checks", std::move(checks)}};
}

} // namespace recruiting::recruitctl::doctor
