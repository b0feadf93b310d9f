#include "auth_api/console_settings.hpp"

namespace recruiting::auth_api::console {

void declare(settings_reader& reader, console_settings& target) {
    using namespace std::chrono_literals;
    reader.text("RECRUITING_AUTH_API_CONSOLE", target.folder,
                "Folder of the built console, served under /console from memory; empty: there is no console, and "
                "/console is 404.");
    reader.duration("RECRUITING_AUTH_API_CONSOLE_IDLE_EXPIRY", target.idle_expiry, 5min, 30 * 24h,
                    "Time after which a console session without a request expires.");
    reader.duration("RECRUITING_AUTH_API_CONSOLE_SESSION_LIFETIME", target.session_lifetime, 1h, 90 * 24h,
                    "Maximum lifetime of a console session.");
    declare(reader, target.oidc);
}

} // namespace recruiting::auth_api::console
