// Everything that can be set of auth-api; `recruiting-auth-api --help` prints it.
#pragma once
#include "auth/api_key.hpp"
#include "auth/pepper.hpp"
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/background/settings.hpp"
#include "auth_api/console_settings.hpp"
#include "auth_api/http/shared_reads.hpp"
#include "http/program_settings.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"
#include "pg/standby_store.hpp"
#include "tracing/exporter.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace recruiting::auth_api {

struct settings : http::service_settings {
    settings() : service_settings(8081, 9081, 256 * 1024) {}

    std::string environment_name{"test"};
    pepper_pair peppers;
    std::int64_t keys_per_member{50}; // neither revoked nor expired
    std::string database_url{"postgresql://recruiting_auth@127.0.0.1:5432/recruiting"};
    std::chrono::milliseconds statement_timeout{4'000};
    pg::standby_settings standby{pg::auth_role};
    read_queue_settings queues;
    std::chrono::milliseconds audit_retention{std::chrono::hours{400 * 24}};
    std::string audit_partitions{"month"};
    std::chrono::milliseconds agent_retention{std::chrono::hours{400 * 24}};
    bool workers{true};
    agent::agent_settings agent;
    booking::booking_settings booking;
    mailing::mail_settings mail;
    webhooks::webhook_settings webhooks;
    console::console_settings console;
    tracing::trace_settings trace;

    // No settings.
    std::int64_t gzip_level{1}; // smaller ones cost more time than the shorter answers save on any network; 0: none
    std::chrono::milliseconds seal_interval{1'000}; // rows are sealed together, and none waits noticeably
    std::int64_t audit_rejected_rows{60}; // a minute and key: what a person reads of a flood; the rest is one count
    /// What the connections of the process know of their role, of the schema and of the servers.
    std::shared_ptr<pg::schema_gate> schema = std::make_shared<pg::schema_gate>(pg::auth_role);
    std::shared_ptr<pg::known_servers> servers = std::make_shared<pg::known_servers>();

    /// Sets what follows from the settings read.
    void complete() noexcept;

    [[nodiscard]] environment where() const { return *parse_environment(environment_name); }
};

/// Declares every setting of the program, each bound to its place in target.
void declare(settings_reader& reader, settings& target);

} // namespace recruiting::auth_api
