// Organizations and their members as operations. What the caller can cause comes back as a result; an outage throws.
#pragma once
#include "core/error.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

/// Reads slug, name, the URLs, accent color, introduction, time zone and country of `wanted`; the rest is filled in.
/// The organization starts with a trialing subscription. Refused: a slug that is taken, invalid values (all reported at
/// once).
[[nodiscard]] result<organization> create_organization(pg::client& database, organization wanted, actor const& by = {});
[[nodiscard]] result<organization> find_organization(pg::client& database, std::string_view slug);
/// Refused: invalid values, all reported at once. An accent color that is not legible is accepted (html/accent.hpp).
[[nodiscard]] result<organization> set_branding(pg::client& database, std::string_view slug,
                                                branding_change const& wanted, actor const& by = {});
/// Where interviews meet when neither their slot nor the interviewer has an address; nullopt: nowhere. Refused: what is
/// no template with {room}.
[[nodiscard]] result<organization> set_room_url(pg::client& database, std::string_view slug,
                                                std::optional<std::string> const& url, actor const& by = {});
/// After how many days of inactivity candidates are deleted (30 to 3,650), nullopt: never. The first deletion comes a
/// week after the change (deploy/migrations, 0014).
[[nodiscard]] result<organization> set_candidate_retention(pg::client& database, std::string_view slug,
                                                           std::optional<std::int64_t> days, actor const& by = {});
/// What would be deleted now if this were the retention, with up to `most` of the candidates. Refused as above.
[[nodiscard]] result<retention_preview> preview_candidate_retention(pg::client& database, std::string_view slug,
                                                                    std::int64_t days, std::int64_t most);
/// By slug.
[[nodiscard]] std::vector<organization> list_organizations(pg::client& database);

// A person (user) is known by e-mail address and may belong to several organizations; removal keeps the membership, so
// that keys, audit rows and hiring teams keep their member. Changes of one organization's members wait for each other:
// the last admin can't be lost to a race. Of an actor who is a member, each is refused with insufficient_role unless
// they are an admin.

struct member_change {
    member now;
    std::string action; // the audit row's, or "" when there was nothing to change
};

struct new_member {
    std::string email; // mail of this organization goes to this spelling
    /// The name in this organization, now or when the membership is revived. Required for a person whom no organization
    /// has added yet; otherwise the first organization's is shown where none is given.
    std::optional<std::string> name;
    role held{role::viewer};
    std::optional<std::string> title;
    std::optional<std::string> language{}; // of the invitation
};

/// Adds, or revives a removed member with the given role. Refused: a person who is a member already.
[[nodiscard]] result<member_change> add_member(pg::client& database, std::string_view organization_slug,
                                               new_member const& wanted, actor const& by = {});
/// As add_member, but the person becomes active only when they sign in: status `invited`, also of a removed member, who
/// gets the given role. A mail with a link goes out. Refused, as every operation with limits: one invitation too
/// many of this organization (rate_limited, `invitations`). Where all organizations together send too many to the
/// address, the mail is left out.
[[nodiscard]] result<member_change> invite_member(pg::client& database, std::string_view organization_slug,
                                                  new_member const& wanted, actor const& by = {},
                                                  std::optional<invitation_limits> const& limits = {});
/// Refused: demoting the last admin; a removed member.
[[nodiscard]] result<member_change> set_member_role(pg::client& database, std::string_view organization_slug,
                                                    member_selector const& which, role wanted, actor const& by = {});
/// The name in this organization; others keep theirs. Refused: a removed member.
[[nodiscard]] result<member_change> set_member_name(pg::client& database, std::string_view organization_slug,
                                                    member_selector const& which, std::string const& name,
                                                    actor const& by = {});
/// Where the interviewer's interviews meet when their slot has no address; nullopt: nowhere in particular. Refused:
/// what is no https:// address; a removed member.
[[nodiscard]] result<member_change> set_member_join_url(pg::client& database, std::string_view organization_slug,
                                                        std::string_view email, std::optional<std::string> const& url,
                                                        actor const& by = {});
/// Refused: removing the last admin.
[[nodiscard]] result<member_change> remove_member(pg::client& database, std::string_view organization_slug,
                                                  member_selector const& which, actor const& by = {});
/// Revives a removed member with the role they had. A person who had been invited and never joined is invited again.
[[nodiscard]] result<member_change> restore_member(pg::client& database, std::string_view organization_slug,
                                                   member_selector const& which, actor const& by = {},
                                                   std::optional<invitation_limits> const& limits = {});
/// Sends the invitation again, in the language that it had. Refused: a member who is not invited (`not_invited`).
[[nodiscard]] result<member_change> renew_invitation(pg::client& database, std::string_view organization_slug,
                                                     member_selector const& which, actor const& by = {},
                                                     std::optional<invitation_limits> const& limits = {});
/// By name. Removed members only when asked for.
[[nodiscard]] result<std::vector<member>> list_members(pg::client& database, std::string_view organization_slug,
                                                       bool with_removed = false);

} // namespace recruiting::directory
