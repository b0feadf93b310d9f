// The pepper's file, and what the database knows of the peppers of its keys (proto-docs/secrets.md).
#pragma once
#include "pg/client.hpp"
#include "recruitctl/command.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::recruitctl {

/// Read as the services read it, to the byte: else no key made here would work there. Throws usage_error.
[[nodiscard]] std::string read_pepper(std::string const& path);
/// Of RECRUITING_KEY_PEPPER_FILE.
[[nodiscard]] std::string pepper_of(invocation const& call);

struct pepper_facts {
    std::optional<std::int64_t> fingerprint; // of the pepper to which keys move; none: no key was made or used yet
    // Keys that are neither revoked nor expired: of this pepper, of others, and those whose pepper is not known because
    // they have not been used since it is kept.
    std::int64_t current{0};
    std::int64_t other{0};
    std::int64_t unknown{0};

    /// Keys are in use, and none of these peppers is theirs.
    [[nodiscard]] bool lacks(std::int64_t file) const noexcept { return current > 0 && fingerprint != file; }
};
[[nodiscard]] pepper_facts select_pepper_facts(pg::client& database);

/// "key pepper", one of key_commands.
[[nodiscard]] command pepper_command();

} // namespace recruiting::recruitctl
