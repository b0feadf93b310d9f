#include "pg/session_check.hpp"

#include "core/log.hpp"

#include <algorithm>

namespace recruiting::pg {

bool session_check::is_shared(void const* connection, backend const& seen) const {
    return std::any_of(backends_.begin(), backends_.end(), [&](auto const& known) {
        return known.first == connection ? known.second != seen : known.second == seen;
    });
}

bool session_check::admit(void const* connection, backend const& seen, bool direct) {
    if (direct) return true;
    std::lock_guard const lock(mutex_);
    bool const before = shared_;
    shared_ = shared_ || is_shared(connection, seen);
    if (shared_ && !before) log::error("pooler_changes_sessions", {{"message", sessions_change}});
    bool const is_first = backends_.insert_or_assign(connection, seen).second;
    return !shared_ && !is_first;
}

void session_check::forget(void const* connection) {
    std::lock_guard const lock(mutex_);
    backends_.erase(connection);
    if (backends_.empty()) shared_ = false;
}

std::string session_check::fault() const {
    std::lock_guard const lock(mutex_);
    return shared_ ? std::string(sessions_change) : std::string();
}

} // namespace recruiting::pg
