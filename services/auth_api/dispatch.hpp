// How the authenticated API answers: credential → bind → read → audit row → answer. One per thread.
#pragma once
#include "auth_api/authenticated_dispatcher.hpp"

namespace recruiting::auth_api {

class api_dispatcher final : public authenticated_dispatcher {
public:
    explicit api_dispatcher(dependencies given) : authenticated_dispatcher(given) {}

    task<std::optional<api_error>> refuse_head(http::request const& req) override;

private:
    request_context context_of(http::request const& req) override;
    std::optional<http::response> answer_at_once(request_context& context) override;
    task<http::response> answer(request_context& context) override;
    task<http::response> answer_rejected(request_context& context, api_error const& error) override;
    void log_answer(request_context const& context, unsigned status, std::chrono::nanoseconds duration) override;

    task<http::response> answer_authenticated(request_context& context, auth::credential const& presented);
    /// A message of the Model Context Protocol (dispatch_mcp.cpp).
    task<result<http::response>> answer_message(request_context& context, auth::credential const& presented);
    task<http::response> answer_refused(request_context& context, api_error error);
    task<void> record_presented(request_context& context, unsigned status);
};

} // namespace recruiting::auth_api
