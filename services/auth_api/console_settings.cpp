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
    reader.number("RECRUITING_AUTH_API_CONSOLE_LINKS_PER_CLIENT", target.links_per_client, 1, 1'000'000,
                  "Maximum sign-in links per hour and client (IPv4 address, IPv6 /64); further requests get 429.");
    reader.number(
        "RECRUITING_AUTH_API_CONSOLE_LINKS_PER_ADDRESS", target.links_per_address, 1, 1'000'000,
        "Maximum sign-in links per hour to one e-mail address; further requests are accepted and send no mail.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_INVITATIONS_PER_ORGANIZATION", target.invitations_per_organization, 1,
                  1'000'000, "Maximum invitations per hour from one organization; further ones get 429.");
    reader.number(
        "RECRUITING_AUTH_API_CONSOLE_INVITATIONS_PER_ADDRESS", target.invitations_per_address, 1, 1'000'000,
        "Maximum invitations per hour from one organization to one e-mail address; further ones get 429. "
        "Beyond the same number from all organizations together, only the first of each organization is mailed.");
    reader.duration("RECRUITING_AUTH_API_CONSOLE_LINK_INTERVAL", target.link_interval, 20ms, 1min,
                    "Interval at which requests for sign-in links are processed, regardless of their number.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_CONNECTIONS", target.change_threads, 1, 64,
                  "Connections to PostgreSQL, each with a thread, that carry out changes made in the console.");
    declare(reader, target.oidc);
}

} // namespace recruiting::auth_api::console
