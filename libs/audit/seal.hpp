// The exact bytes of an audit row that its hash covers, and the hash that chains it to the row before. PostgreSQL
// computes them when it seals (seal_audit_rows), this when it verifies. Without I/O. Anyone can compute them again, in
// any language (proto-docs/audit.md).
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::audit {

/// PostgreSQL's text of an inet: "192.0.2.1", or with its prefix length "192.0.2.1/32".
struct inet_text : std::string_view {
    using std::string_view::string_view;
    explicit inet_text(std::string_view text) : std::string_view(text) {}
};

/// A row as PostgreSQL holds it: NULL and '' are different rows. Texts belong to where it was read from.
struct stored_event {
    uuid id;
    timestamp occurred_at;
    uuid organization_id;
    std::optional<uuid> credential_id;
    std::optional<std::string_view> credential_name;
    std::string_view actor_type;
    std::optional<uuid> actor_member_id;
    std::optional<std::string_view> actor_email;
    std::optional<std::string_view> actor_role;
    std::string_view action;
    std::optional<std::string_view> method;
    std::optional<std::string_view> endpoint;
    std::optional<std::string_view> path;
    std::optional<std::string_view> target_type;
    std::optional<std::string_view> target_id;
    std::optional<std::int16_t> status_code;
    bool success{true};
    std::optional<std::string_view> error_code;
    std::optional<std::string_view> required_scope;
    std::optional<inet_text> ip_address;
    std::optional<std::string_view> user_agent;
    std::optional<std::string_view> request_id;
    std::optional<uuid> session_id;
    std::optional<uuid> correlation_id;
    std::optional<std::int32_t> duration_ms;
    std::optional<std::int64_t> request_count; // how many requests the row is of; most rows: of one, or none
};

/// Calls visit(name, column) for each column, in the table's order.
template <class Event, class Visit>
void for_each_column(Event& e, Visit const& visit) {
    visit("id", e.id);
    visit("occurred_at", e.occurred_at);
    visit("organization_id", e.organization_id);
    visit("credential_id", e.credential_id);
    visit("credential_name", e.credential_name);
    visit("actor_type", e.actor_type);
    visit("actor_member_id", e.actor_member_id);
    visit("actor_email", e.actor_email);
    visit("actor_role", e.actor_role);
    visit("action", e.action);
    visit("method", e.method);
    visit("endpoint", e.endpoint);
    visit("path", e.path);
    visit("target_type", e.target_type);
    visit("target_id", e.target_id);
    visit("status_code", e.status_code);
    visit("success", e.success);
    visit("error_code", e.error_code);
    visit("required_scope", e.required_scope);
    visit("ip_address", e.ip_address);
    visit("user_agent", e.user_agent);
    visit("request_id", e.request_id);
    visit("session_id", e.session_id);
    visit("correlation_id", e.correlation_id);
    visit("duration_ms", e.duration_ms);
    visit("request_count", e.request_count);
}

/// What stands before the first row of a chain: 32 zero bytes.
inline constexpr digest no_previous_hash{};

/// Appends the number in network byte order, as PostgreSQL's binary forms have numbers.
template <std::integral Int>
void append_network_order(std::string& out, Int number) {
    std::array<char, sizeof number> bytes;
    auto rest = static_cast<std::make_unsigned_t<Int>>(number);
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
        *byte = static_cast<char>(static_cast<std::uint8_t>(rest));
        if constexpr (sizeof number > 1) rest >>= 8;
    }
    out.append(bytes.data(), bytes.size());
}

/// Appends the row as PostgreSQL's record_send writes it: the number of fields, then of each its type's oid, the length
/// of its value (-1: NULL) and the value in the type's binary form; numbers in network byte order. The sequence is the
/// first field, if it is given.
void append_record(std::string& out, stored_event const& row, std::optional<std::int64_t> sequence = std::nullopt);

/// SHA-256(previous hash || canonical form). scratch only saves an allocation per row.
[[nodiscard]] digest chain_hash(std::string_view previous_hash, stored_event const& row, std::int64_t sequence,
                                std::string& scratch);

/// The last row of an organization's chain; sequence 0: it has none.
struct chain_end {
    std::int64_t sequence{0};
    digest hash{no_previous_hash};
    bool operator==(chain_end const&) const = default;
};

} // namespace recruiting::audit
