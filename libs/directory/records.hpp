// The records that the directory's operations and stores pass around.
#pragma once
#include "auth/scope.hpp"
#include "core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::directory {

struct organization {
    uuid id;
    std::string slug;
    std::string name;
    std::optional<std::string> website_url;
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;      // "#rrggbb"
    std::optional<std::string> share_image_url;   // the picture of link previews
    std::optional<std::string> apply_url;         // of jobs without their own; https, http or mailto
    std::optional<std::string> introduction_html; // as html::sanitize writes it
    std::string time_zone{"UTC"};                 // IANA
    std::optional<std::string> country_code;
    std::optional<std::string> careers_page_url;
    std::optional<std::string> room_url;                  // where interviews meet: a template with {room}
    std::optional<std::int64_t> candidate_retention_days; // none: inactive candidates are kept
    std::optional<timestamp> candidate_retention_acts_from;
    std::int64_t member_count{0};
    std::int64_t open_job_count{0};
    timestamp created_at;
    timestamp updated_at;
};

// A change of how an organization shows itself and where people apply: nullopt keeps a value, "" removes it.
struct branding_change {
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;
    std::optional<std::string> share_image_url;
    std::optional<std::string> apply_url;
    std::optional<std::string> introduction_html; // of any quality: what is kept is what job descriptions may have
};

// What a retention of candidates would delete now. Inactive are those in whose record nothing has changed for that
// long.
struct inactive_candidate {
    uuid id;
    std::optional<std::string> external_id;
    timestamp updated_at;
    bool is_deleted{false}; // by an import: hidden already, and the data still there
};
struct retention_preview {
    std::int64_t due{0};
    std::int64_t kept{0};                  // inactive, but with an active application or an interview since
    std::vector<inactive_candidate> first; // of those due, the ones inactive for longest
};

// A person in one organization.
struct member {
    uuid id;           // of the membership
    std::string email; // as typed in this organization
    std::string name;
    std::optional<std::string> title;
    role held{role::viewer};
    std::string status;                  // active, invited, removed
    std::optional<std::string> join_url; // where this interviewer meets
    timestamp created_at;
    timestamp updated_at;
    std::optional<timestamp> removed_at;
};

// Invitations an hour.
struct invitation_limits {
    std::int64_t of_organization;
    std::int64_t to_address; // of one organization; of all together, beyond which no mail is sent
};

/// A member of an organization, by the membership's id or by e-mail address in any spelling with the same canonical
/// form.
using member_selector = std::variant<uuid, std::string_view>;

/// A key of an organization, by its ID or by its exact name.
using key_selector = std::variant<uuid, std::string_view>;

struct api_key {
    uuid id; // the key ID: safe to share
    std::string name;
    std::string displayed_prefix;
    std::string environment;
    std::vector<std::string> scopes; // as granted, wildcards included
    std::vector<std::string> allowed_ips;
    uuid owner_id;
    std::string owner_email;
    std::string owner_name;
    role owner_role{role::viewer};
    bool owner_active{true};
    timestamp expires_at;
    std::optional<timestamp> revoked_at;
    std::optional<uuid> revoked_by; // a membership; none: an operator
    std::optional<timestamp> last_used_at;
    std::optional<std::string> last_used_ip;
    timestamp created_at;
    std::optional<std::int64_t> pepper_fingerprint; // none: made before it was kept, and not used since
};

// Who makes a change, as the audit log keeps it. recruitctl is the system, which may do everything; the console and the
// agent name the member, whose id, e-mail address and role are those of now, and operations hold the member to that
// role.

struct actor {
    std::string type{"system"}; // system, member, api_key or agent
    std::optional<uuid> member_id;
    std::optional<std::string> email;
    std::optional<std::string> role;
    std::optional<uuid> credential_id;
    std::optional<std::string> credential_name;
    std::optional<uuid> session_id;     // the agent's
    std::optional<uuid> correlation_id; // the agent's run
    std::optional<std::string> request_id;
};

} // namespace recruiting::directory
