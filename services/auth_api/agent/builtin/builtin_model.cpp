#include "auth_api/agent/builtin/builtin_model.hpp"

#include "auth_api/agent/builtin/intents.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>

namespace recruiting::auth_api::agent {
namespace builtin {
namespace {

constexpr std::string_view examples =
    "I can answer these questions:\n"
    "- Which jobs are open? Which remote jobs are open? Which jobs are open in Berlin?\n"
    "- What does the job “Backend Engineer” say?\n"
    "- How many candidates do we have? How many candidates are in the job “Backend Engineer”?\n"
    "- Who is in the pipeline of “Backend Engineer”? Who is in the interview stage of “Backend Engineer”?\n"
    "- Find the candidate “Anna Schmidt”\n"
    "- Who are the admins? How many members do we have?\n"
    "- What is our time zone?\n"
    "- Who revoked a key this week? What did anna@example.com do yesterday? (admins)\n"
    "- What plan are we on? How much have we used? (admins)\n"
    "- List the API keys\n"
    "I change one thing: revoke \"NAME\" revokes the API key of that name.\n"
    "Put names in quotes.";

// The first family that understands every word of the question answers it.
constexpr auto families = std::to_array<plan (*)(question const&)>(
    {match_job_list, match_job, match_candidate, match_candidate_list, match_pipeline, match_organization,
     match_members, match_billing, match_audit, match_keys});

plan find_plan(question const& asked) {
    if (asked.has("revoke")) return match_revocation(asked);
    if (!asked.understood()) return nullptr;
    for (auto const match : families)
        if (auto found = match(asked)) return found;
    return nullptr;
}

std::string answer_without_tools(question const& asked) {
    bool const alone = asked.understood() && asked.names().empty() && !asked.time();
    if (alone && asked.has("hello") && asked.only({"hello"})) return "Hello! " + std::string(examples);
    if (alone && asked.has("thanks") && asked.only({"thanks"})) return "You're welcome.";
    if (alone && asked.has("help") && asked.only({"help", "did"})) return std::string(examples);
    return "I can't answer that. " + std::string(examples);
}

} // namespace

model_reply respond(conversation const& so_far) {
    auto const prompt = std::find_if(so_far.messages.rbegin(), so_far.messages.rend(),
                                     [](message const& one) { return one.from == message_role::user; });
    if (prompt == so_far.messages.rend()) return {std::string(examples), {}, {}};
    question const asked(prompt->content);
    auto const found = find_plan(asked);
    if (!found) return {answer_without_tools(asked), {}, {}};
    auto const run = static_cast<std::size_t>(prompt.base() - so_far.messages.begin());
    dialogue with(so_far.messages.subspan(run), so_far.tools, so_far.now);
    found(with);
    return std::move(with).reply();
}

} // namespace builtin

namespace {

class builtin_model final : public model {
public:
    explicit builtin_model(asio::io_context& context) : executor_(context.get_executor()) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "builtin"; }

    [[nodiscard]] task<std::optional<model_failure>> check() override { co_return std::nullopt; }

    // Yields first, as waiting for a model server would: other work of this thread runs between two steps.
    [[nodiscard]] task<model_result> complete(model_request const& request) override {
        co_await asio::post(executor_, use_task);
        if (request.cancel.requested()) co_return model_failure{model_failure::kind::cancelled, "cancelled"};
        co_return builtin::respond({request.messages, request.tools, request.started_at});
    }

private:
    io_executor executor_;
};

} // namespace

std::unique_ptr<model> make_builtin_model(asio::io_context& context) {
    return std::make_unique<builtin_model>(context);
}

} // namespace recruiting::auth_api::agent
