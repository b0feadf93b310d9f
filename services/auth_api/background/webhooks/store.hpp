// What the webhooks' worker reads and writes (migration 0017). A webhook belongs to one sender at a time, by a lease.
#pragma once
#include "directory/webhook_message.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace recruiting::auth_api::webhooks {

/// Writes messages of what has changed, for up to so many positions. read_written: how many moved, and how many
/// messages wait.
[[nodiscard]] std::vector<pg::statement> write_messages(std::int64_t most);
struct written {
    std::int64_t moved{0};
    std::chrono::milliseconds took{0}; // PostgreSQL
    std::int64_t waiting{0};
};
[[nodiscard]] written read_written(std::span<pg::rows const> answer);

struct lease {
    uuid webhook;
    uuid holder;
};
/// Up to `most` webhooks with a message that is due, none of which has another sender; of an organization a few at
/// once.
[[nodiscard]] std::vector<pg::statement> lease_webhooks(std::int64_t most);
[[nodiscard]] std::vector<lease> read_leases(std::span<pg::rows const> answer);

struct due_message {
    directory::webhook_message what;
    std::string url;
    std::vector<std::string> secrets;
    std::int64_t failures{0}; // before this attempt, since the last success
};
/// The oldest message of a leased webhook, and its lease begins again. nullopt: none is due, or the lease is lost; then
/// give_back.
[[nodiscard]] std::vector<pg::statement> next_message(lease const& of);
[[nodiscard]] std::optional<due_message> read_next(std::span<pg::rows const> answer);

struct delivery {
    timestamp began;
    std::optional<std::int64_t> status_code; // none: no answer came, and failure says why
    std::string failure;
    std::chrono::milliseconds took{0};
    std::string excerpt;
};
/// read_outcome: delivered, delayed, failed or gone; "": the lease was lost, and nothing was written.
[[nodiscard]] std::vector<pg::statement> conclude(lease const& of, uuid const& message, delivery const& how,
                                                  std::chrono::milliseconds pause, std::chrono::hours give_up_after);
[[nodiscard]] std::string read_outcome(std::span<pg::rows const> answer);

[[nodiscard]] std::vector<pg::statement> give_back(lease const& of);

} // namespace recruiting::auth_api::webhooks
