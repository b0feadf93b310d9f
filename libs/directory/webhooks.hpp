// Webhooks as operations (proto-docs/webhooks.md): an organization's receivers, which are told that something changed.
// The console and recruitctl call them; the console and row-level security check the caller's role. webhook_store.cpp
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "directory/receivers.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

inline constexpr std::int64_t webhooks_per_organization = 20;
inline constexpr std::int64_t kept_deliveries = 30; // of a webhook, as the schema keeps them

struct new_webhook {
    std::string url;
    std::optional<std::string> description; // 1 to 200 characters
    std::vector<std::string> resources;
};

struct webhook {
    uuid id;
    std::string url;
    std::optional<std::string> description;
    std::vector<std::string> resources;
    std::string status; // active, paused, failed, gone
    std::optional<timestamp> failing_since;
    std::optional<timestamp> next_attempt_at; // of the messages that wait
    std::int64_t waiting_messages{0};
    std::optional<timestamp> previous_secret_expires_at; // while two are valid
    timestamp created_at;
    timestamp updated_at;
};

struct created_webhook {
    webhook made;
    std::string secret; // "whsec_" and 32 bytes in base64 (Standard Webhooks); shown once
};

struct webhook_delivery {
    uuid id;
    std::string message_id; // "msg_…"
    std::string type;
    timestamp attempted_at;
    std::optional<std::int64_t> status_code; // none: no answer came
    std::optional<std::string> failure;
    std::int64_t duration_ms{0};
    std::string excerpt; // of the answer's body, its first 200 characters
};

/// Refused, all reasons at once: a URL that wrong_receiver refuses, no or an unknown resource, a description that is
/// too long, more than webhooks_per_organization.
[[nodiscard]] result<created_webhook> create_webhook(pg::client& database, std::string_view slug,
                                                     new_webhook const& wanted, receiver_rules const& rules,
                                                     actor const& by = {});
/// Newest first.
[[nodiscard]] result<std::vector<webhook>> list_webhooks(pg::client& database, std::string_view slug);

// The rest changes one webhook, and returns it as it is then. not_found: the organization has none with this id.

enum class webhook_change {
    pause,  // nothing is sent, and what changes meanwhile is told when it is resumed
    resume, // of one that is paused or failed; what waits is sent at once
    test,   // sends a message of the type webhook.test
    remove, // nothing is sent any more; returns it as it was
};
/// Refused: resuming one whose receiver is gone, testing one that is not active.
[[nodiscard]] result<webhook> change_webhook(pg::client& database, std::string_view slug, uuid const& id,
                                             webhook_change what, actor const& by = {});
/// The secret before this one is valid for 24 hours more.
[[nodiscard]] result<created_webhook> rotate_webhook_secret(pg::client& database, std::string_view slug, uuid const& id,
                                                            actor const& by = {});
/// Sends the delivery's message again, under the same webhook-id. Refused while the webhook is not active.
[[nodiscard]] result<webhook> resend_webhook_delivery(pg::client& database, std::string_view slug, uuid const& id,
                                                      uuid const& delivery, actor const& by = {});
/// The last ones, newest first.
[[nodiscard]] result<std::vector<webhook_delivery>> list_webhook_deliveries(pg::client& database, std::string_view slug,
                                                                            uuid const& id);

// Statements for connections that know their caller: after authenticate, in its transaction. Rows of the organization,
// as row-level security shows them.
[[nodiscard]] pg::statement select_webhooks();
[[nodiscard]] pg::statement select_webhook(uuid const& id);
[[nodiscard]] webhook read_webhook(pg::row row);
[[nodiscard]] pg::statement select_webhook_deliveries(uuid const& webhook);
[[nodiscard]] webhook_delivery read_webhook_delivery(pg::row row);

} // namespace recruiting::directory
