#include "auth_api/agent/builtin/respond.hpp"

#include "auth_api/agent/builtin/intents.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>

namespace recruiting::auth_api::agent::responder {
namespace {

// The first family that understands the prompt answers it.
constexpr auto families = std::to_array<plan (*)(question const&)>({
    match_small_talk,
    match_revocation,
    match_negation, // before all that would answer the opposite
    match_keys,
    match_audit,
    match_billing,
    match_organization,
    match_candidate_counts,
    match_candidate_search,
    match_pipelines,
    match_job_details,
    match_members,
    match_jobs,
});

constexpr std::size_t most_words = 400; // some patterns look at all words from each word on

std::string job_of(tool_call const& call) {
    boost::system::error_code error;
    auto const arguments = boost::json::parse(call.arguments, error);
    return error ? std::string() : std::string(record(&arguments).text("jobId"));
}

// The job a call of the session named last: what "it" means now.
std::string recent_job(std::span<message const> history) {
    for (auto said = history.rbegin(); said != history.rend(); ++said) {
        for (auto call = said->tool_calls.rbegin(); call != said->tool_calls.rend(); ++call) {
            auto id = job_of(*call);
            if (!id.empty()) return id;
        }
    }
    return {};
}

plan find_plan(question const& about) {
    for (auto const match : families)
        if (auto found = match(about)) return found;
    return nullptr;
}

} // namespace

model_reply respond(conversation const& so_far) {
    auto const asked = std::find_if(so_far.messages.rbegin(), so_far.messages.rend(),
                                    [](message const& one) { return one.from == speaker::user; });
    if (asked == so_far.messages.rend()) return {help_text(), {}, {}};
    auto const prompts_end = static_cast<std::size_t>(asked.base() - so_far.messages.begin());
    prompt const words(asked->content);
    if (words.words().size() > most_words) return {too_long_text(), {}, {}};
    auto const job = recent_job(so_far.messages.first(std::min(so_far.history, prompts_end - 1)));
    auto const found = find_plan({words, job});
    if (!found) return {help_text(), {}, {}};
    desk work(so_far.messages.subspan(prompts_end), so_far.tools, so_far.now);
    found(work);
    return std::move(work).reply();
}

} // namespace recruiting::auth_api::agent::responder
