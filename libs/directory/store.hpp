// The directory's SQL: organizations, their members and API keys as they are administered, and the audit rows of
// changes.
#pragma once
#include "crypto/digest.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::directory {

// The audit row of a change is written in the change's own transaction: neither can exist without the other.

struct change {
    uuid organization_id;
    std::string_view action;      // "member.added"
    std::string_view target_type; // "member"
    uuid target_id;
    std::optional<std::int64_t> count{}; // of what the row stands for, if that is several things
};

/// The INSERT of the row, of one row each of a FROM that may follow: where a change and its row are one statement. Its
/// parameters are $1 to $15.
[[nodiscard]] pg::statement change_row(change const& made, actor const& by);

void record_change(pg::client& database, change const& made, actor const& by);
/// Records one change of several targets, a row each; made.target_id is not read.
void record_changes(pg::client& database, change const& made, std::span<uuid const> targets, actor const& by);

} // namespace recruiting::directory

namespace recruiting::directory::store {

[[nodiscard]] bool is_time_zone(pg::client& database, std::string_view name);
/// False: the slug is taken.
[[nodiscard]] bool insert_organization(pg::client& database, uuid const& id, organization const& wanted);
void insert_trial(pg::client& database, uuid const& organization_id);
[[nodiscard]] std::optional<organization> select_organization(pg::client& database, std::string_view slug);
[[nodiscard]] std::vector<organization> select_organizations(pg::client& database);
/// Locks the organization's row until the transaction ends: changes of its members wait for each other.
[[nodiscard]] std::optional<uuid> lock_organization(pg::client& database, std::string_view slug);
/// Writes the organization's logo, accent color, share image, apply URL, room URL and retention of candidates.
void update_organization(pg::client& database, organization const& wanted);
[[nodiscard]] retention_preview select_retention_preview(pg::client& database, uuid const& organization_id,
                                                         std::int64_t days, std::int64_t most);

// A person is who has the canonical form of an address (mail/address.hpp): address_key.

[[nodiscard]] std::optional<member> select_member(pg::client& database, uuid const& organization_id,
                                                  member_selector const& which);
[[nodiscard]] std::vector<member> select_members(pg::client& database, uuid const& organization_id, bool with_removed);
/// Active admins besides this member.
[[nodiscard]] std::int64_t count_other_admins(pg::client& database, uuid const& organization_id, uuid const& member_id);
/// nullopt: the person is not known and no name was given.
[[nodiscard]] std::optional<uuid> find_or_insert_user(pg::client& database, std::string_view address_key,
                                                      std::optional<std::string> const& name);
/// What the organization calls a member m with the user u. u.name is the name that the first organization gave, which
/// may be a stranger: it is shown only where this one gave none.
#define RECRUITING_MEMBER_NAME "coalesce(m.invited_name, u.name)"

struct membership {
    role held{role::viewer};
    std::optional<std::string> title{};
    std::optional<std::string> invited_name{};
    std::optional<std::string> status{}; // active or invited
    std::optional<std::string> email{};  // as typed in this organization: where its mail goes
};
/// With a status and an address.
void insert_member(pg::client& database, uuid const& organization_id, uuid const& user_id, membership const& wanted);
/// No title, no name, no address: the former ones stay. No status: active, or invited where the member never joined.
void revive_member(pg::client& database, uuid const& member_id, membership const& wanted);
void update_role(pg::client& database, uuid const& member_id, role held);
void update_member_name(pg::client& database, uuid const& member_id, std::string_view name);
void remove_member(pg::client& database, uuid const& member_id);
/// The mail that invites the member; none while one waits to be sent. No language: the one of their last invitation.
void insert_invitation(pg::client& database, uuid const& member_id, std::optional<std::string> const& language);
struct invitation_count {
    std::optional<std::int64_t> refused_for; // seconds: a limit of the organization's own is reached
    bool is_mailed{true};                    // false: all organizations together have sent enough to the address
};
/// Counts an invitation, unless it is refused.
[[nodiscard]] invitation_count count_invitation(pg::client& database, uuid const& organization_id,
                                                std::string_view address_key, invitation_limits const& limits);
/// Whether the presented session of the console is an admin's at this moment. The owner needs none.
[[nodiscard]] bool acts_as_admin(pg::client& database, uuid const& organization_id);
void update_join_url(pg::client& database, uuid const& member_id, std::optional<std::string> const& url);

/// Returns a row when the member is of the caller's organization, removed or not. For connections that know their
/// caller: after authenticate, in its transaction.
[[nodiscard]] pg::statement member_in_reach(uuid const& member_id);

/// Takes the name from an expired key. False: a key that is neither revoked nor expired has it. The key has its
/// pepper_fingerprint.
[[nodiscard]] bool insert_key(pg::client& database, uuid const& organization_id, api_key const& made,
                              digest const& secret_hash);
/// owner: of this member alone.
[[nodiscard]] std::vector<api_key> select_keys(pg::client& database, uuid const& organization_id, bool with_revoked,
                                               std::optional<uuid> const& owner = std::nullopt);
/// The member's keys that are neither revoked nor expired. The count stays true until the transaction ends: others who
/// make the member's keys wait for it.
[[nodiscard]] std::int64_t lock_key_count(pg::client& database, uuid const& member_id);
/// By key ID, or by name: the key not revoked, else the one revoked last. Locks it until the transaction ends.
[[nodiscard]] std::optional<api_key> lock_key(pg::client& database, uuid const& organization_id,
                                              key_selector const& which);
/// Revokes the key and records it. False: it is revoked already, or it has expired and its name was released.
[[nodiscard]] bool revoke_key(pg::client& database, uuid const& organization_id, uuid const& key, actor const& by);

// Statements for connections that know their caller: after authenticate, in its transaction.

/// What read_key reads of a key k, its owner's membership m and user u.
#define RECRUITING_KEY_COLUMNS                                                                                         \
    "k.id, k.name, k.displayed_prefix, k.environment, array_to_string(k.scopes, ','), "                                \
    "array_to_string(k.allowed_ips, ','), m.id, m.email, m.role, m.status = 'active', k.expires_at, "                  \
    "CASE WHEN NOT k.name_released THEN k.revoked_at END, "                                                            \
    "k.last_used_at, host(k.last_used_ip), k.created_at, " RECRUITING_MEMBER_NAME                                      \
    ", k.revoked_by, k.pepper_fingerprint"
#define RECRUITING_KEY_SOURCE                                                                                          \
    "recruiting.api_keys k JOIN recruiting.memberships m ON m.id = k.membership_id "                                   \
    "JOIN recruiting.users u ON u.id = m.user_id "

/// Rows for read_key: of the keys in the caller's reach, this member's that are neither revoked nor expired.
[[nodiscard]] pg::statement live_keys_of(uuid const& member_id, std::int64_t most);
/// Rows for read_key: of the keys in the caller's reach, revoked ones too, whose name is or holds this one in any case.
[[nodiscard]] pg::statement keys_like(std::string_view name, std::int64_t most);
[[nodiscard]] api_key read_key(pg::row row);
/// What revoke_key runs: one row with the key's id when it was done. Done only if the condition holds too: SQL of an
/// AND's operand, '?' standing for its parameters in their order.
[[nodiscard]] pg::statement revocation(uuid const& organization_id, uuid const& key, actor const& by,
                                       pg::statement const& only_if = {});

} // namespace recruiting::directory::store
