// What is wrong with PostgreSQL and what lies in it. Pure.
#pragma once
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/database_facts.hpp"

namespace recruiting::recruitctl::doctor {

/// What the programs of this host may open at once; nothing: none of them is here.
struct connection_demand {
    std::int64_t auth_api{0};
    std::int64_t public_api{0};
};

[[nodiscard]] findings check_server(looked<server_facts> const& facts, std::optional<connection_demand> demand);
[[nodiscard]] findings check_roles(looked<std::vector<role_facts>> const& facts,
                                   std::optional<connection_demand> demand);
[[nodiscard]] findings check_protection(looked<std::vector<std::string>> const& unprotected);
/// files: as migrations of this recruitctl, or why they are not there.
[[nodiscard]] findings check_migrations(looked<std::vector<applied_migration>> const& applied,
                                        looked<std::vector<migration>> const& files);
[[nodiscard]] findings check_partitions(looked<partition_facts> const& facts);
/// Do keys work again that were revoked?
[[nodiscard]] findings check_restore(looked<identity_facts> const& facts);
/// elected: what an auth-api's metrics say, for when PostgreSQL does not.
[[nodiscard]] findings check_sealer(looked<sealer_facts> const& facts, std::optional<bool> elected);
[[nodiscard]] findings check_queues(looked<queue_facts> const& facts);
/// key: the public key of the pepper that recruitctl has; empty: it has none.
[[nodiscard]] findings check_exposure_key(looked<std::string> const& published, std::string_view key);
/// of: "postgres", "redis".
[[nodiscard]] findings check_clock(looked<clock_facts> const& facts, std::string const& of);

} // namespace recruiting::recruitctl::doctor
