#include "pg/service_role.hpp"

#include <array>

namespace recruiting::pg {
namespace {

// One of each kind: what a request begins with, what it reads, and what it writes.
constexpr std::array auth_rights{
    relation_right{"presented_credential", "SELECT"},
    relation_right{"presented_session", "SELECT"},
    relation_right{"organizations", "SELECT"},
    relation_right{"candidates", "SELECT"},
    relation_right{"audit_intake", "INSERT"},
    relation_right{"audit_log", "INSERT"},
    relation_right{"api_keys", "UPDATE"},
    relation_right{"agent_messages", "INSERT"},
};
constexpr std::array public_rights{
    relation_right{"published_jobs", "SELECT"},    relation_right{"published_slots", "SELECT"},
    relation_right{"published_changes", "SELECT"}, relation_right{"presented_booking", "SELECT"},
    relation_right{"booking_requests", "INSERT"},
};

} // namespace

service_role const auth_role{"recruiting_auth", auth_rights, public_rights};
service_role const public_role{"recruiting_public", public_rights, auth_rights};

} // namespace recruiting::pg
