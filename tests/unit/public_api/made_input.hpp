// An action_input as dispatch makes it, for tests of actions.
#pragma once
#include "public_api/booking/schedule.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/http/plan.hpp"

#include <string>

namespace recruiting::test {

class made_input {
public:
    made_input(http::path_params params, std::string path, std::string query, timestamp now = system_time().now())
        : params_(std::move(params)), path_(std::move(path)), query_(std::move(query)), now_(now) {
        request.method = "GET";
        request.path = path_;
        request.query = query_;
    }
    made_input(made_input const&) = delete;
    made_input& operator=(made_input const&) = delete;

    [[nodiscard]] public_api::action_input get() const {
        return {request,    params_, "192.0.2.1", "test-request", now_,       published,
                job_bodies, signer_, public_url,  booking,        limit_keys, nullptr};
    }

    http::request request;
    public_api::catalogue published;
    mutable public_api::body_cache job_bodies{1'000'000};
    std::string public_url{"http://127.0.0.1:8080"};
    public_api::booking_settings booking;
    std::vector<digest> limit_keys{public_api::limit_keys_of("a secret of thirty-two bytes or so", {})};

private:
    http::path_params params_;
    std::string path_;
    std::string query_;
    timestamp now_;
    http::token_signer signer_{"a secret of thirty-two bytes or so"};
};

} // namespace recruiting::test
