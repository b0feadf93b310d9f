// Do the programs answer, are they ready, of which version are they, and does a request come through the gateway? The
// facts are HTTP answers (programs_read), the rest is pure.
#pragma once
#include "core/time.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "recruitctl/scrape/exposition.hpp"

#include <array>

namespace recruiting::recruitctl::doctor {

/// The answer of one address; status 0: none, and why.
struct web_answer {
    unsigned status{0};
    std::string body;
    std::string why;
};

struct instance_facts {
    std::string program;
    std::string address; // of its admin port
    web_answer health, ready, metrics;
};

struct gateway_probe {
    std::string service; // "auth-api", "public-api"
    std::string url;
    web_answer answer;
};

struct server_answer { // of a server that is not ours
    std::string check; // "reach.model"
    std::string url;   // shown: without user and password
    std::string fix;
    web_answer answer;
};

struct programs_facts {
    std::vector<instance_facts> instances;
    std::vector<gateway_probe> gateway_probes;
    std::string no_probe_reason; // why there are none
    std::vector<server_answer> others;
};

using admin_addresses = std::array<std::vector<endpoint>, 3>; // in the order of program_names
struct programs_questions {
    admin_addresses given;   // by options; where empty, as the installation says
    std::string gateway_url; // where clients reach it; empty: as the gateway's settings say
    std::chrono::milliseconds limit{5'000};
};
/// What a program answers to GET /settings, by name, without secrets. A value whose password is hidden there is taken
/// from `given` where that has it. What breaks the format is passed over.
[[nodiscard]] setting_values read_reported(std::string_view body, setting_values const& given);
/// How many connections to PostgreSQL the program opens at most, by what it answers to GET /settings. nullopt: it does
/// not report it.
[[nodiscard]] std::optional<std::int64_t> read_reported_connections(std::string_view body);
/// Asks each program that is here, or at a given address, for its settings. One that gives none keeps those of its
/// source.
void ask_settings(installation& of, admin_addresses const& given, std::chrono::milliseconds limit);
[[nodiscard]] programs_facts read_programs(installation const& of, programs_questions const& ask);

/// Where clients reach the gateway; empty, and why: it is not known.
[[nodiscard]] std::pair<std::string, std::string> url_of_gateway(installation const& of, std::string const& given);

[[nodiscard]] findings check_instances(installation const& of, programs_facts const& facts);
[[nodiscard]] findings check_gateway_probes(programs_facts const& facts);
[[nodiscard]] findings check_others(programs_facts const& facts);
/// own: recruitctl's. binaries: "recruiting-gateway 0.1.0" as --version printed it; empty: not known.
[[nodiscard]] findings check_versions(installation const& of, programs_facts const& facts, std::string_view own,
                                      std::array<std::string, 3> const& binaries);

/// When the first of the certificates expires that running gateways show to clients; nothing: none reports one.
[[nodiscard]] std::optional<timestamp> first_expiry(programs_facts const& facts);

/// From the programs' metrics, for other checks; nothing: no instance reports it.
[[nodiscard]] std::optional<double> metric_of(programs_facts const& facts, std::string_view program,
                                              std::string_view metric);

} // namespace recruiting::recruitctl::doctor
