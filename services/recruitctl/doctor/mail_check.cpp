#include "recruitctl/doctor/mail_check.hpp"

#include "core/file.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

std::string secret_in(std::string const& path) {
    std::string content;
    if (read_file(path, content)) return {};
    while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
    return content;
}

transfer::smtp_security security_of(std::string const& setting, bool this_machine) {
    using transfer::smtp_security;
    if (setting == "off") return smtp_security::off;
    if (setting == "opportunistic") return smtp_security::opportunistic;
    return setting != "required" && this_machine ? smtp_security::off : smtp_security::required;
}

} // namespace

std::optional<transfer::smtp_request> mail_server_of(installed_program const& auth_api) {
    auto const url = auth_api.given("RECRUITING_MAIL_URL");
    bool const tls_from_start = url.starts_with("smtps://");
    if (!tls_from_start && !url.starts_with("smtp://")) return std::nullopt;
    auto const begin = url.find("://") + 3;
    auto const path = url.find('/', begin);
    auto const at = url.rfind('@', path);
    auto const host = at == std::string::npos || at < begin ? begin : at + 1;
    transfer::smtp_request out;
    out.url = url.substr(0, begin) + url.substr(host);
    out.user = auth_api.given("RECRUITING_MAIL_USER");
    out.password = secret_in(auth_api.path(auth_api.given("RECRUITING_MAIL_PASSWORD_FILE")));
    if (host != begin) {
        auto const login = url.substr(begin, host - 1 - begin);
        auto const colon = login.find(':');
        out.user = percent_decode(login.substr(0, colon)).value_or("");
        out.password = colon == std::string::npos ? "" : percent_decode(login.substr(colon + 1)).value_or("");
    }
    bool const here = is_this_machine(host_of(std::string_view(url).substr(host)));
    out.security = security_of(auth_api.given("RECRUITING_MAIL_TLS"), here && !tls_from_start);
    // auth-api refuses these settings: a password goes to no other machine in the clear.
    if (!here && !tls_from_start && out.security != transfer::smtp_security::required) out.user = out.password = "";
    out.ca_file = auth_api.path(auth_api.given("RECRUITING_MAIL_CA_FILE"));
    return out;
}

mail_facts look_at_mail(installation const& of, std::chrono::milliseconds limit) {
    mail_facts out;
    auto const& auth = of.program("auth-api");
    if (!auth.here) return out;
    auto const url = auth.given("RECRUITING_MAIL_URL");
    out.where = redact_url(url);
    auto server = mail_server_of(auth);
    out.what = server ? mail_facts::kind::smtp : url.empty() ? mail_facts::kind::none : mail_facts::kind::file;
    if (!server) return out;
    server->timeout = server->connect_timeout = limit;
    out.probed = transfer::probe_smtp(*server);
    return out;
}

findings check_mail(looked<mail_facts> const& facts) {
    auto const* const check = "reach.mail";
    auto const* const mend =
        "mend RECRUITING_MAIL_URL, RECRUITING_MAIL_USER, _PASSWORD_FILE, _TLS or _CA_FILE, or start "
        "the mail server; mails wait meanwhile";
    if (!facts.found) return {problem(check, facts.why, mend)};
    switch (facts.found->what) {
    case mail_facts::kind::unknown: return {skipped(check, "auth-api is not here", "on its host")};
    case mail_facts::kind::none:
        return {warning(check, "there is no mail server: mails wait in the database until they are dead",
                        "set RECRUITING_MAIL_URL and RECRUITING_MAIL_FROM for auth-api")};
    case mail_facts::kind::file: return {ok(check, "mails are written to files: " + facts.found->where)};
    case mail_facts::kind::smtp: break;
    }
    if (facts.found->probed.good) return {ok(check, facts.found->where)};
    return {problem(check, facts.found->where + ": " + facts.found->probed.why, mend)};
}

} // namespace recruiting::recruitctl::doctor
