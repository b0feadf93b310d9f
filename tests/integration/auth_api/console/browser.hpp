// A browser at the console of an auth-api of the test's own: it keeps the session's cookie and sends what browsers
// send.
#pragma once
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <functional>
#include <string>

namespace recruiting::test {

/// An auth-api with a console, and an organization with an admin.
class console_system {
public:
    explicit console_system(std::function<void(auth_api::settings&)> const& adjust = {}, bool workers = false);
    ~console_system();

    [[nodiscard]] std::string email(std::string_view name) const;
    /// The token of a link for this member, as a mail would bring it.
    [[nodiscard]] std::string link(std::string const& email);
    [[nodiscard]] std::string value(std::string const& sql);

    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string folder; // of pages
    auth_api_harness service;
};

class console_browser {
public:
    explicit console_browser(console_system& at) : at_(at) {}

    /// Sends a request to /console/api<path> with the cookie and, for changes, Sec-Fetch-Site and the CSRF token.
    http_answer send(std::string const& method, std::string const& path, std::string const& body = {},
                     std::string const& lines = {});
    /// With these lines alone.
    [[nodiscard]] http_answer send_bare(std::string const& method, std::string const& path, std::string const& lines,
                                        std::string const& body = {}) const;
    /// Signs in with a link of this member's.
    http_answer sign_in(std::string const& email);
    http_answer use_link(std::string const& token);
    /// Of the session, as GET /session says.
    [[nodiscard]] std::string session_field(std::string const& name);

    std::string cookie; // "sp_session=…", or ""
    std::string csrf;

private:
    void keep_cookie(http_answer const& answer);

    console_system& at_;
};

/// "invalid_request" of an error's body; "" where there is none.
[[nodiscard]] std::string error_of(http_answer const& answer);

} // namespace recruiting::test
