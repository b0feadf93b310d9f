#include "auth_api/console_settings.hpp"

#include "core/text.hpp"
#include "core/url.hpp"

#include <algorithm>

namespace recruiting::auth_api::oidc {
namespace {

constexpr std::size_t longest_name = 60;

std::optional<std::string> scopes_problem(std::string_view scopes) {
    auto const words = split(scopes, ' ');
    bool const named = std::ranges::all_of(words, [](auto word) { return !word.empty() && is_printable_ascii(word); });
    if (!named || scopes.find_first_of("\"\\") != scopes.npos) return "must be scopes separated by single spaces";
    if (std::ranges::count(words, "openid") == 0) return "must name the scope openid";
    return std::nullopt;
}

std::optional<std::string> name_problem(std::string_view name) {
    if (name.empty() || !is_utf8(name) || count_characters(name) > longest_name) return "must be 1 to 60 characters";
    return std::nullopt;
}

void declare_client(settings_reader& reader, oidc_settings& target) {
    reader.text(
        "RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_ID", target.client_id,
        "The console's client id at the OpenID Connect provider. Redirect URI there: RECRUITING_PUBLIC_URL with "
        "/console/api/oidc/callback.");
    reader.secret_file("RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_SECRET_FILE", target.client_secret, 1,
                       "File with the client's secret; empty: a public client.");
    reader.custom("RECRUITING_AUTH_API_CONSOLE_OIDC_NAME", target.name,
                  "The provider's name on the sign-in page's button.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      target.name = value;
                      return name_problem(value);
                  });
    reader.custom("RECRUITING_AUTH_API_CONSOLE_OIDC_SCOPES", target.scopes,
                  "Scopes requested, separated by single spaces; openid must be one of them.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      target.scopes = value;
                      return scopes_problem(value);
                  });
}

} // namespace

std::optional<std::string> provider_url_problem(std::string_view url) {
    auto const base = url.substr(0, url.find('?'));
    if (auto problem = base_url_problem(base)) return problem;
    if (!is_printable_ascii(url) || url.find_first_of(" #") != url.npos) return "must not contain spaces or a fragment";
    if (url.starts_with("https://")) return std::nullopt;
    if (url.starts_with("http://") && is_this_machine(host_of(base.substr(7)))) return std::nullopt;
    return "must be https (http on this machine only)";
}

void declare(settings_reader& reader, oidc_settings& target) {
    using namespace std::chrono_literals;
    reader.custom(
        "RECRUITING_AUTH_API_CONSOLE_OIDC_ISSUER", "",
        "The OpenID Connect provider that members may sign in with, as its discovery document names it: https (http "
        "on this machine only); empty: none.",
        [&target](std::string_view value) -> std::optional<std::string> {
            target.issuer = value;
            if (value.empty()) return std::nullopt;
            if (value.find('?') != value.npos) return "must not have a query";
            return provider_url_problem(value);
        });
    declare_client(reader, target);
    reader.flag("RECRUITING_AUTH_API_CONSOLE_OIDC_TRUST_EMAIL", target.trusts_email,
                "Accept e-mail addresses for which the provider sends no email_verified, as Entra ID does. xms_edov "
                "decides where it is sent. Danger: anyone who can set an address at the provider, such as every "
                "administrator of the tenant, can then sign in as the member with this address in any organization. "
                "Only for an issuer of a single tenant whose users cannot change their addresses.");
    reader.flag("RECRUITING_AUTH_API_CONSOLE_OIDC_REQUIRED", target.required,
                "Members sign in with the provider only: links in mails sign no one in, invitations lead to the "
                "sign-in page, and only a link of recruitctl member sign-in-link still works. The same for all "
                "instances. Open sessions stay.");
    reader.certificates_file("RECRUITING_AUTH_API_CONSOLE_OIDC_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify the provider; empty: the system's.");
    reader.text("RECRUITING_AUTH_API_CONSOLE_OIDC_PROXY", target.proxy, "HTTP proxy for requests to the provider.");
    reader.rule([&target]() -> std::optional<std::string> {
        if (target.issuer.empty() || !target.client_id.empty()) return std::nullopt;
        return "RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_ID must be set when RECRUITING_AUTH_API_CONSOLE_OIDC_ISSUER is";
    });
    reader.rule([&target]() -> std::optional<std::string> {
        if (!target.required || target.is_on()) return std::nullopt;
        return "RECRUITING_AUTH_API_CONSOLE_OIDC_ISSUER must be set when RECRUITING_AUTH_API_CONSOLE_OIDC_REQUIRED is";
    });
    reader.rule([&target]() -> std::optional<std::string> {
        if (is_printable_ascii(target.client_id) && is_printable_ascii(target.client_secret)) return std::nullopt;
        return "RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_ID and the client's secret must be printable ASCII";
    });
}

} // namespace recruiting::auth_api::oidc

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
