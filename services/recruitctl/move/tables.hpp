// What the database holds of one organization, and what a move leaves behind. Each table of the schema is in one of the
// two lists: tests/integration/recruitctl/move_tables_test.cpp compares them with the migrated database.
#pragma once
#include <array>
#include <string_view>

namespace recruiting::recruitctl {

/// Its rows have an organization_id (of organizations: id; of users: those that its members are), and are moved with
/// all columns but generated ones and transaction numbers, which are a server's own.
/// In the order in which they are imported: a row comes after those that it refers to.
inline constexpr std::array<std::string_view, 31> moved_tables{"organizations",    "users",
                                                               "memberships",      "api_keys",
                                                               "subscriptions",    "invoices",
                                                               "usage_records",    "jobs",
                                                               "hiring_teams",     "stages",
                                                               "candidates",       "candidate_terms",
                                                               "applications",     "stage_counts",
                                                               "job_counts",       "job_candidates",
                                                               "reach_changes",    "agent_sessions",
                                                               "agent_runs",       "agent_messages",
                                                               "interview_slots",  "bookings",
                                                               "booking_tokens",   "decline_tokens",
                                                               "booking_requests", "unmatched_booking_requests",
                                                               "mail_outbox",      "audit_log",
                                                               "audit_heads",      "audit_chain_starts",
                                                               "audit_seals_kept"};

struct left_table {
    std::string_view name, reason;
};
inline constexpr std::array<left_table, 15> left_tables{{
    {"audit_intake", "sealed into audit_log before the export"},
    {"audit_refusals", "written into the audit log before the export"},
    {"audit_seals", "empty since migration 0039"},
    {"audit_set_aside", "batches of several organizations that no service writes"},
    {"audit_retention", "a setting of the installation"},
    {"booking_mail_counts", "counts of two days, over all organizations"},
    {"console_sessions", "members sign in again"},
    {"database_identity", "which database this is"},
    {"frozen_organizations", "the state of the move itself"},
    {"published_changes", "what changed in the last day, by this server's transaction numbers"},
    {"retention_floors", "a setting of the installation"},
    {"schema_migrations", "must be equal"},
    {"sign_in_counts", "counts of an hour, over all organizations"},
    {"sign_in_requests", "members ask again"},
    {"sign_in_tokens", "members ask for another link"},
}};

} // namespace recruiting::recruitctl
