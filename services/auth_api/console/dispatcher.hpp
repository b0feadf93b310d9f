// How the console answers: pages from memory; for /console/api cross-site check → cookie → CSRF token → body → read,
// change, session operation or invocation of the agent → audit row → answer. One per thread.
#pragma once
#include "auth_api/authenticated_dispatcher.hpp"
#include "auth_api/console/change_pool.hpp"
#include "auth_api/console/session_endpoints.hpp"
#include "http/static_site.hpp"

namespace recruiting::auth_api::console {

/// The console's pages, in memory. Throws std::runtime_error when the folder can't be read, or has no index.html.
[[nodiscard]] std::shared_ptr<http::static_site const> read_pages(std::string const& folder);

class console_dispatcher final : public authenticated_dispatcher {
public:
    /// Null where there is no console: every path is 404 then.
    struct parts {
        io_executor executor;
        http::static_site const* pages;
        session_endpoints* sessions;
        change_pool* changes;
    };

    console_dispatcher(dependencies given, parts console) : authenticated_dispatcher(given), console_(console) {}

    task<std::optional<api_error>> refuse_head(http::request const& req) override;

private:
    request_context context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(request_context& context) override;
    task<http::response> answer(request_context& context) override;
    task<http::response> answer_rejected(request_context& context, api_error const& error) override;
    void complete(request_context& context, http::response& answered) override;
    void log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) override;

    [[nodiscard]] bool is_secure() const noexcept {
        return dependencies_.config.mail.public_url.starts_with("https://");
    }
    /// What a request's head brings, or why the request is refused for it.
    struct admission {
        std::optional<api_error> refusal;
        std::string secret; // the session's; "" where there is none
        auth::credential presented{digest{}, auth::principal_kind::member};
    };
    [[nodiscard]] admission admit(http::request const& req, route_match const& match) const;
    task<result<http::response>> carry_out(request_context& context, admission const& brought);
    task<result<http::response>> change(request_context& context, auth::credential const& presented);
    task<result<http::response>> call_session(request_context& context, std::string_view secret);
    [[nodiscard]] http::response refuse(request_context& context, api_error const& error) override;

    parts console_;
};

} // namespace recruiting::auth_api::console
