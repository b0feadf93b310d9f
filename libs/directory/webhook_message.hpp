// A message of a webhook: its body, which carries no data, and its signature (Standard Webhooks 1.0.0). Pure.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::directory {

struct webhook_message {
    uuid id;
    std::string type; // "candidates.changed"
    uuid organization_id;
    std::optional<uuid> subject; // of the pipeline the job, of a run its session
    std::optional<uuid> run;
    std::optional<timestamp> since; // of the audit log: its first row that is new
    timestamp created_at;
};

/// "msg_…", the same for each attempt.
[[nodiscard]] std::string name_of(webhook_message const& what);
/// {"type","timestamp","data":{"organizationId","resource","jobId"?,"sessionId"?,"correlationId"?,"fetch"}}
[[nodiscard]] std::string body_of(webhook_message const& what);
/// webhook-id, webhook-timestamp and webhook-signature as header lines, with a signature of each secret.
[[nodiscard]] std::vector<std::string> signed_headers(webhook_message const& what, timestamp now, std::string_view body,
                                                      std::vector<std::string> const& secrets);

/// A secret of these bytes, as receivers are given it: "whsec_…".
[[nodiscard]] std::string webhook_secret_text(std::string_view bytes);

[[nodiscard]] bool is_webhook_resource(std::string_view name) noexcept;

} // namespace recruiting::directory
