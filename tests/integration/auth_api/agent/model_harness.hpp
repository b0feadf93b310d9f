// The agent's model on a loop of the test's own.
#pragma once
#include "auth_api/agent/invoke/invoke.hpp"
#include "integration/support/model_double.hpp"
#include "support/catch.hpp"

namespace recruiting::test {

namespace agent = auth_api::agent;

inline agent::model_settings settings_for(std::string const& base_url) {
    agent::model_settings out;
    out.base_url = base_url;
    out.name = "double";
    out.call_timeout = std::chrono::seconds{10};
    out.connect_timeout = std::chrono::seconds{2};
    return out;
}

class model_caller {
public:
    explicit model_caller(agent::model_settings const& config) : model_(agent::make_model(context, config, metrics)) {}
    explicit model_caller(model_double const& server) : model_caller(settings_for(server.base_url())) {}

    agent::model_result complete(std::string const& prompt = "How many jobs?",
                                 std::chrono::milliseconds within = std::chrono::seconds{20}) {
        messages = {{agent::message_role::user, prompt, {}, {}, {}}};
        return complete_all(0, within);
    }
    agent::model_result complete_all(std::size_t history, std::chrono::milliseconds within = std::chrono::seconds{20}) {
        agent::model_request const request{messages, history, tools, coarse_clock::now() + within, cancel, {}};
        agent::model_result result;
        run([&]() -> task<void> {
            auto said = co_await model_->complete(request);
            result = std::move(said);
        });
        return result;
    }
    /// "answered" or "unavailable: status 503".
    std::string outcome(std::chrono::milliseconds within = std::chrono::seconds{20}) {
        auto const result = complete("How many jobs?", within);
        auto const* const failed = std::get_if<agent::model_failure>(&result);
        return failed == nullptr ? "answered" : text_of(*failed);
    }
    std::string check() {
        std::optional<agent::model_failure> failed;
        run([&]() -> task<void> {
            auto said = co_await model_->check();
            failed = std::move(said);
        });
        return failed ? text_of(*failed) : "there";
    }
    void run(std::function<task<void>()> const& work) {
        bool finished = false;
        auto const body = [&]() -> task<void> {
            co_await work();
            finished = true;
            context.stop();
        };
        context.restart();
        spawn(context, body());
        context.run_for(std::chrono::seconds{30});
        REQUIRE(finished);
    }
    [[nodiscard]] bool counted(std::string const& line) const {
        return metrics.render().find(line + "\n") != std::string::npos;
    }

    asio::io_context context{1};
    metrics::registry metrics;
    std::vector<agent::message> messages;
    std::vector<agent::tool_description> tools;
    agent::cancellation cancel;

private:
    static std::string text_of(agent::model_failure const& failed) {
        constexpr char const* kinds[] = {"unavailable", "timed out", "bad answer", "cancelled"};
        return kinds[static_cast<int>(failed.why)] + std::string(": ") + failed.detail;
    }
    std::unique_ptr<agent::model> model_;
};

} // namespace recruiting::test
