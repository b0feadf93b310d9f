// Asks the programs, and the servers they depend on over HTTP, all at once.
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "recruitctl/doctor/programs_check.hpp"
#include "recruitctl/scrape/fetch.hpp"
#include "tracing/exporter.hpp"

#include <boost/json.hpp>
#include <deque>
#include <iterator>
#include <set>

namespace recruiting::recruitctl::doctor {
namespace {

// Requests and where their answers go.
class round {
public:
    explicit round(std::chrono::milliseconds limit) : limit_(limit) {}

    void ask(transfer::http_request request, web_answer& into) {
        request.timeout = request.connect_timeout = limit_;
        requests_.push_back(std::move(request));
        answers_.push_back(&into);
    }
    void carry_out() {
        auto const results = scrape::fetch_all(std::move(requests_));
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (auto const* const answer = scrape::answer_of(results[i])) {
                answers_[i]->status = answer->status;
                answers_[i]->body = answer->body;
            } else {
                answers_[i]->why = scrape::describe(results[i]);
            }
        }
    }

private:
    std::chrono::milliseconds limit_;
    std::vector<transfer::http_request> requests_;
    std::vector<web_answer*> answers_;
};

transfer::http_request to(std::string url) {
    transfer::http_request out;
    out.url = std::move(url);
    return out;
}

void add_instances(installation const& of, programs_questions const& ask, std::deque<instance_facts>& out) {
    for (std::size_t i = 0; i < of.programs.size(); ++i) {
        auto const& program = of.programs[i];
        auto addresses = ask.given[i];
        // One that should be here and is broken is asked where it would be.
        if (addresses.empty() && (program.here || program.broken)) addresses.push_back(admin_address(program));
        for (auto const& address : addresses) out.push_back({program.name, to_string(address), {}, {}, {}});
    }
}

void ask_instance(instance_facts& one, round& in) {
    auto const where = parse_endpoint(one.address);
    if (!where) return;
    in.ask(scrape::get(*where, "/healthz", {}), one.health);
    in.ask(scrape::get(*where, "/readyz", {}), one.ready);
    in.ask(scrape::get(*where, "/metrics", {}), one.metrics);
}

std::string without_slash(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
}

// The paths of the API documents, unless the gateway has been given others.
std::string prefix_of(installed_program const& gateway, char const* setting, char const* documented) {
    auto value = gateway.setting(setting);
    return value.empty() ? documented : std::move(value);
}

void add_passages(installation const& of, programs_questions const& ask, programs_facts& out) {
    auto const [url, why] = url_of_gateway(of, ask.gateway_url);
    out.no_probe_reason = why;
    if (url.empty()) return;
    auto const& gateway = of.program("gateway");
    out.gateway_probes.push_back(
        {"auth-api", url + prefix_of(gateway, "RECRUITING_GATEWAY_PREFIX", "/api/v1") + "/openapi.json", {}});
    out.gateway_probes.push_back(
        {"public-api",
         url + prefix_of(gateway, "RECRUITING_GATEWAY_PUBLIC_PREFIX", "/api/public/v1") + "/openapi.json",
         {}});
}

void ask_model(installation const& of, std::deque<server_answer>& out, round& in) {
    auto const& auth = of.program("auth-api");
    auto const base = without_slash(auth.given("RECRUITING_AGENT_MODEL_BASE_URL"));
    if (base.empty()) return;
    auto request = to(base + "/models");
    auto key = auth.given("RECRUITING_AGENT_MODEL_API_KEY");
    if (auto const file = auth.path(auth.given("RECRUITING_AGENT_MODEL_API_KEY_FILE")); key.empty() && !file.empty())
        key = trim(content_of(file).value_or(""));
    if (!key.empty()) request.headers.push_back("Authorization: Bearer " + key);
    request.ca_file = auth.path(auth.given("RECRUITING_AGENT_MODEL_CA_FILE"));
    request.proxy = auth.given("RECRUITING_AGENT_MODEL_PROXY");
    auto& one = out.emplace_back(server_answer{
        "reach.model", redact_url(base), "start the model server, or fix RECRUITING_AGENT_MODEL_BASE_URL", {}});
    in.ask(std::move(request), one.answer);
}

// The field lines that the program sends its collector; nothing: its file can't be read here.
std::optional<std::vector<std::string>> trace_headers(installed_program const& program) {
    auto const path = program.path(program.given("RECRUITING_TRACE_HEADERS_FILE"));
    if (path.empty()) return std::vector<std::string>{};
    auto const content = content_of(path);
    if (!content) return std::nullopt;
    return tracing::parse_trace_headers(*content);
}

void ask_traces(installation const& of, std::deque<server_answer>& out, round& in) {
    std::set<std::string> known;
    for (auto const& program : of.programs) {
        auto const base = without_slash(program.given("RECRUITING_TRACE_ENDPOINT"));
        if (base.empty() || !known.insert(base).second) continue;
        auto& one =
            out.emplace_back(server_answer{"reach.traces",
                                           redact_url(base),
                                           "start the collector, or fix RECRUITING_TRACE_ENDPOINT; empty: no traces",
                                           {}});
        auto headers = trace_headers(program);
        if (!headers) {
            one.answer.why = "RECRUITING_TRACE_HEADERS_FILE can't be read";
            continue;
        }
        auto request = to(base + "/v1/traces"); // it takes no GET, and its refusal is an answer
        request.headers = std::move(*headers);
        request.ca_file = program.path(program.given("RECRUITING_TRACE_CA_FILE"));
        in.ask(std::move(request), one.answer);
    }
}

} // namespace

std::pair<std::string, std::string> url_of_gateway(installation const& of, std::string const& given) {
    if (!given.empty()) return {without_slash(given), {}};
    auto const& gateway = of.program("gateway");
    if (!gateway.is_known()) return {{}, "the gateway is not here"};
    auto const listen = parse_endpoint(gateway.setting("RECRUITING_GATEWAY_LISTEN"));
    auto const header = gateway.setting("RECRUITING_GATEWAY_PROXY_PROTOCOL");
    if (listen && listen->unix_path.empty() && (header.empty() || header == "off"))
        return {"http://" + to_string(reachable(*listen)), {}};
    auto const published = of.program("public-api").setting("RECRUITING_PUBLIC_URL");
    if (!published.empty()) return {without_slash(published), {}};
    return {{},
            gateway.reported.empty() ? "the gateway does not run and report where it listens"
                                     : "the gateway takes no plain connections from here"};
}

setting_values read_reported(std::string_view body, setting_values const& given) {
    setting_values out;
    boost::system::error_code error;
    auto const document = boost::json::parse(body, error);
    auto const* const whole = error ? nullptr : document.if_object();
    auto const* const list = whole == nullptr ? nullptr : whole->if_contains("settings");
    if (list == nullptr || !list->is_array()) return out;
    for (auto const& one : list->get_array()) {
        auto const* const fields = one.if_object();
        auto const* const name = fields == nullptr ? nullptr : fields->if_contains("name");
        auto const* const value = fields == nullptr ? nullptr : fields->if_contains("value");
        if (name == nullptr || value == nullptr || !name->is_string() || !value->is_string()) continue;
        std::string const key(name->get_string());
        std::string text(value->get_string());
        // A password is hidden in what the program reports; the same address with it stands in the source.
        auto const known = given.find(key);
        if (known != given.end() && redact_url(known->second) == text) text = known->second;
        out.emplace(key, std::move(text));
    }
    return out;
}

std::optional<std::int64_t> read_reported_connections(std::string_view body) {
    boost::system::error_code error;
    auto const document = boost::json::parse(body, error);
    auto const* const found = error ? nullptr : document.find_pointer("/connections/postgres", error);
    if (found == nullptr || !found->is_int64()) return std::nullopt;
    return found->get_int64();
}

void ask_settings(installation& of, admin_addresses const& given, std::chrono::milliseconds limit) {
    std::array<web_answer, 3> answers;
    round in(limit);
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (!given[i].empty() || of.programs[i].here) {
            auto const where = given[i].empty() ? admin_address(of.programs[i]) : given[i].front();
            in.ask(scrape::get(where, "/settings", limit), answers[i]);
        }
    in.carry_out();
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i].status == 200) { // else it is not running, which reach.PROGRAM reports
            of.programs[i].reported = read_reported(answers[i].body, of.programs[i].settings);
            of.programs[i].connections = read_reported_connections(answers[i].body);
        }
}

programs_facts read_programs(installation const& of, programs_questions const& ask) {
    programs_facts out;
    std::deque<instance_facts> instances; // answers are written into them: they must not move
    std::deque<server_answer> others;
    round in(ask.limit);
    add_instances(of, ask, instances);
    for (auto& one : instances) ask_instance(one, in);
    add_passages(of, ask, out);
    for (auto& one : out.gateway_probes) in.ask(to(one.url), one.answer);
    ask_model(of, others, in);
    ask_traces(of, others, in);
    in.carry_out();
    out.instances.assign(std::make_move_iterator(instances.begin()), std::make_move_iterator(instances.end()));
    out.others.assign(std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    return out;
}

} // namespace recruiting::recruitctl::doctor
