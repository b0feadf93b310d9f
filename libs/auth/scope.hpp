// Scopes and roles (proto-docs/keys.md, proto-docs/concepts.md). Pure: no I/O. A key's scopes are
// stored as written, wildcards included, and expanded here in the catalogue's order.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recruiting {

enum class role { admin, recruiter, hiring_manager, interviewer, viewer };

[[nodiscard]] std::optional<role> parse_role(std::string_view text) noexcept;
[[nodiscard]] std::string_view to_string(role value) noexcept;

struct scope_info {
    std::string_view name;
    std::string_view resource;
    std::string_view action;
    std::string_view description;
};

inline constexpr std::array<scope_info, 10> scope_catalogue{{
    {"organization:read", "organization", "read", "Read the organization's profile."},
    {"members:read", "members", "read", "List the organization's members and their roles."},
    {"jobs:read", "jobs", "read", "List and read jobs."},
    {"candidates:read", "candidates", "read", "List and read candidates and their applications."},
    {"pipeline:read", "pipeline", "read", "Read the hiring pipeline of a job."},
    {"agents:read", "agents", "read", "List agent sessions."},
    {"agents:history", "agents", "history", "Read the messages and runs of an agent session."},
    {"agents:invoke", "agents", "invoke", "Invoke the agent."},
    {"billing:read", "billing", "read", "Read plan, usage and invoices. Only for admins."},
    {"audit:read", "audit", "read", "Read the audit log. Only for admins."},
}};

/// One bit per scope, at its index in the catalogue.
using scope_set = std::bitset<scope_catalogue.size()>;

[[nodiscard]] std::optional<std::size_t> scope_index(std::string_view name) noexcept;
/// A grant is a scope, "*", "<resource>:*" or "*:<action>". One that names no scope is not a grant.
[[nodiscard]] bool is_valid_grant(std::string_view grant) noexcept;
/// The scopes that grants name together. What is not a grant names none.
[[nodiscard]] scope_set expand(std::span<std::string const> grants) noexcept;
/// The scopes that a role lets through, at least for some records. Row-level security decides which records.
[[nodiscard]] scope_set role_allows(role value) noexcept;

} // namespace recruiting
