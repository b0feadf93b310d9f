// Sign-in and sessions: what the console does that the API does not. Each operation is one segment, so one transaction,
// on the thread's connection for the console. One per thread.
#pragma once
#include "async/task.hpp"
#include "auth_api/console/oidc/provider.hpp"
#include "auth_api/console/session_store.hpp"
#include "auth_api/settings.hpp"
#include "http/endpoint.hpp"
#include "http/message.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <memory>
#include <optional>

namespace recruiting::auth_api::console {

/// What an operation is given, after the checks of the dispatcher.
struct session_call {
    http::request const& req;
    http::path_params const& path;
    std::string_view secret; // the session's cookie; "" for open operations without one
    sender from;
    tracing::parent trace;
    std::shared_ptr<auth::principal const>& principal; // set to the session's, once it is known
};

// The answers that describe sessions (session_json.cpp).

/// GET /session. organizations: of select_organizations.
[[nodiscard]] http::response session_answer(auth::principal const& caller, pg::rows const& organizations,
                                            std::string_view secret, settings const& config, unsigned status = 200);
/// GET /sessions, of select_sessions.
[[nodiscard]] http::response sessions_answer(pg::rows const& sessions);
/// GET /settings
[[nodiscard]] http::response settings_answer(settings const& config);
/// GET /limits
[[nodiscard]] http::response limits_answer(settings const& config);

/// What sign-in by OpenID Connect needs of a thread: the provider, and how sign-ins end as metrics.
class provider_sign_in {
public:
    /// config outlives it. The metrics exist also where no provider is set.
    provider_sign_in(asio::io_context& context, oidc::oidc_settings const& config, metrics::registry& metrics);

    /// nullptr: none is set.
    [[nodiscard]] oidc::provider* provider() noexcept { return provider_ ? &*provider_ : nullptr; }
    void count(oidc::sign_in_outcome outcome) noexcept { counts_[static_cast<std::size_t>(outcome)]->add(); }

private:
    std::optional<oidc::provider> provider_;
    std::array<metrics::counter*, oidc::outcome_names.size()> counts_{};
};

class session_endpoints {
public:
    session_endpoints(pg::pipeline& connection, settings const& config, provider_sign_in& provider)
        : connection_(connection), config_(config), provider_(provider) {}

    /// Calls one of the operations below. They throw outage as pg::pipeline::run does.
    [[nodiscard]] task<result<http::response>>
    call(task<result<http::response>> (session_endpoints::*which)(session_call const&), session_call const& with) {
        return (this->*which)(with);
    }

    [[nodiscard]] task<result<http::response>> show_settings(session_call const& with);
    [[nodiscard]] task<result<http::response>> request_link(session_call const& with);
    [[nodiscard]] task<result<http::response>> inspect_link(session_call const& with);
    [[nodiscard]] task<result<http::response>> open_session(session_call const& with);
    [[nodiscard]] task<result<http::response>> show_session(session_call const& with);
    [[nodiscard]] task<result<http::response>> choose_organization(session_call const& with);
    [[nodiscard]] task<result<http::response>> end_session(session_call const& with);
    [[nodiscard]] task<result<http::response>> show_limits(session_call const& with);
    [[nodiscard]] task<result<http::response>> list_sessions(session_call const& with);
    [[nodiscard]] task<result<http::response>> end_sessions(session_call const& with);
    [[nodiscard]] task<result<http::response>> end_one(session_call const& with);

    // OpenID Connect: the browser goes to the provider, and comes back from there (provider_sign_in.cpp).
    [[nodiscard]] task<result<http::response>> start_provider_sign_in(session_call const& with);
    [[nodiscard]] task<result<http::response>> finish_provider_sign_in(session_call const& with);

private:
    task<std::vector<pg::rows>> run(std::vector<pg::statement> segment, session_call const& with,
                                    std::string_view operation);
    /// auth::authenticate and, in the same transaction, these statements.
    task<std::vector<pg::rows>> run_in_session(std::vector<pg::statement> statements, session_call const& with,
                                               std::string_view operation);
    /// Sets the call's principal from the rows of auth::authenticate. False: there is no such session.
    static bool read_member(pg::rows const& session, session_call const& with);
    [[nodiscard]] new_session new_session_of(std::string_view secret, session_call const& with) const;
    [[nodiscard]] task<http::response> answer_callback(oidc::flow const& begun, oidc::callback const& given,
                                                       session_call const& with);
    /// The session's secret; "": the person is no member.
    [[nodiscard]] task<std::string> open_identified_session(oidc::flow const& begun, std::string const& email,
                                                            session_call const& with);
    [[nodiscard]] http::response end_provider_sign_in(oidc::sign_in_outcome outcome, session_call const& with,
                                                      std::string_view detail);
    [[nodiscard]] link_origin accepted_links() const noexcept;
    [[nodiscard]] bool is_secure() const noexcept { return config_.mail.public_url.starts_with("https://"); }

    pg::pipeline& connection_;
    settings const& config_;
    provider_sign_in& provider_;
};

} // namespace recruiting::auth_api::console
