#include "auth_api/console_settings.hpp"

namespace recruiting::auth_api::console {

void declare(settings_reader& reader, console_settings& target) {
    using namespace std::chrono_literals;
    reader.text("RECRUITING_AUTH_API_CONSOLE", target.folder,
                "Folder of the built console, served under /console from memory; empty: there is no console, and "
                "/console is 404.");
    reader.duration("RECRUITING_AUTH_API_CONSOLE_IDLE_EXPIRY", target.idle_expiry, 5min, 30 * 24h,
                    "How long a session of the console lives without a request.");
    reader.duration("RECRUITING_AUTH_API_CONSOLE_SESSION_LIFETIME", target.session_lifetime, 1h, 90 * 24h,
                    "How long a session of the console lives at most.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_LINKS_PER_CLIENT", target.links_per_client, 1, 1'000'000,
                  "Sign-in links that one client (IPv4 address, IPv6 /64) may request per hour; further "
                  "requests are 429.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_LINKS_PER_ADDRESS", target.links_per_address, 1, 1'000'000,
                  "Sign-in links per hour to one e-mail address; further requests are accepted and send nothing.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_INVITATIONS_PER_ORGANIZATION", target.invitations_per_organization, 1,
                  1'000'000, "Invitations that an organization's admins may send per hour; further ones are 429.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_INVITATIONS_PER_ADDRESS", target.invitations_per_address, 1, 1'000'000,
                  "Invitations per hour to one e-mail address, from all organizations; further ones are 429.");
    reader.duration(
        "RECRUITING_AUTH_API_CONSOLE_LINK_INTERVAL", target.link_interval, 20ms, 1min,
        "How often requests for sign-in links are processed. The pace is fixed, whatever the requests are.");
    reader.number("RECRUITING_AUTH_API_CONSOLE_CONNECTIONS", target.change_threads, 1, 64,
                  "Connections to PostgreSQL, each with a thread, that carry out changes made in the console.");
    declare(reader, target.oidc);
}

} // namespace recruiting::auth_api::console
