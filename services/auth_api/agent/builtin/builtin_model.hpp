// The built-in responder: answers a handful of questions without a model, by the same tools and the same loop, and
// lists what it can do when it does not understand the prompt. It runs when no model server is set. builtin_model.cpp
// has the words that ask for each answer, answers.cpp the answers.
#pragma once
#include "auth_api/agent/model.hpp"

#include <boost/json/value.hpp>
#include <memory>

namespace recruiting::auth_api::agent {

[[nodiscard]] std::unique_ptr<model> make_builtin_model(asio::io_context& context);

namespace builtin {
namespace json = boost::json;

[[nodiscard]] std::string text(json::value const& of, std::string_view name); // on one line; "" of null

struct listing {
    std::vector<json::value> items;
    bool complete{true}; // false: there are more records than were read
};

/// One run as far as it has come: the results of its calls, and the call it needs next. An answer is written as if
/// every result were there: it calls a tool, and returns when the result has not come yet; with the next result it is
/// played again from the start. So a reply depends on the messages alone.
class dialogue {
public:
    /// run: the messages after the prompt. tools: none in the run's last round, when only an answer counts.
    dialogue(std::span<message const> run, std::span<tool_description const> tools);

    /// The data of a result; a refusal is the answer. nullptr: the caller returns.
    json::value const* call(std::string_view tool, json::object const& arguments = {});
    /// All pages of a list, as far as the run's rounds reach. nullopt: the caller returns.
    std::optional<listing> read_list(std::string_view tool, json::object arguments = {});

    void answer(std::string text) { reply_.content = std::move(text); }
    [[nodiscard]] model_reply reply() && { return std::move(reply_); }

private:
    json::object const* try_call(std::string_view tool, json::object const& arguments, std::string& refusal);
    std::vector<std::pair<tool_call, json::value>> past_;
    std::span<tool_description const> tools_;
    model_reply reply_;
};

struct question {
    std::string_view prompt;
    std::string_view name; // what it names; empty: nothing
    timestamp now;
};
using answer_function = void(dialogue&, question const&);

answer_function count_jobs, list_jobs, count_candidates, find_candidate, show_pipeline, list_admins, list_keys,
    list_expiring_keys, revoke_key;

/// The next step of the run whose prompt is the last message of the user: a call of a tool, or the answer. "This month"
/// is counted from now. Pure.
[[nodiscard]] model_reply respond(std::span<message const> messages, std::span<tool_description const> tools,
                                  timestamp now);

} // namespace builtin
} // namespace recruiting::auth_api::agent
