#include "auth_api/agent/builtin/builtin_model.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>

namespace recruiting::auth_api::agent {
namespace builtin {
namespace {

constexpr std::string_view examples = "I can answer these questions:\n"
                                      "- How many jobs are open? Which jobs are open? Which jobs are open in Berlin?\n"
                                      "- How many candidates do we have? How many candidates are in “Accountant”?\n"
                                      "- Who is in the pipeline of “Accountant”? Find the candidate “Anna Schmidt”\n"
                                      "- Who are the admins?\n"
                                      "- List the API keys. Which API keys expire this month?\n"
                                      "I change one thing: revoke \"NAME\" revokes the API key of that name.";

struct phrase {
    std::string_view sentences; // "*" at the end: a name
    answer_function* answer;
};
// The first that fits answers. A sentence is the whole prompt: what is added to it may change its meaning. Beside
// English, the console's examples in each of its languages.
constexpr auto phrases = std::to_array<phrase>({
    {"how many jobs are open;how many open jobs are;how many open jobs do we have;wie viele stellen sind offen;"
     "combien de postes sont ouverts;cuántos puestos están abiertos;quante posizioni sono aperte;"
     "募集中の職種は何件ですか",
     count_jobs},
    {"which jobs are open;which jobs are open in *;list open jobs;show open jobs", list_jobs},
    {"how many candidates do we have;how many candidates are;wie viele bewerber haben wir;"
     "combien de candidats avons-nous;cuántos candidatos tenemos;quanti candidati abbiamo;応募者は何人いますか",
     count_candidates},
    {"how many candidates are in job *;how many candidates are in *;who is in pipeline of *;show pipeline of *",
     show_pipeline},
    {"find candidate *;find *", find_candidate},
    {"who are admins;who is admin", list_admins},
    {"list api keys;show api keys", list_keys},
    {"which api keys expire this month;welche api-schlüssel laufen diesen monat ab;"
     "quelles clés api expirent ce mois-ci;qué claves de api caducan este mes;quali chiavi api scadono questo mese;"
     "今月期限が切れるapiキーはどれですか",
     list_expiring_keys},
    {"revoke api key *;revoke key *;revoke *", revoke_key},
    {"what can you do;help", [](dialogue& with, question const&) { with.answer(std::string(examples)); }},
});

// Words that add nothing, and marks around a word.
constexpr std::string_view fillers = "|the|a|our|my|me|please|there|";
constexpr auto marks = std::to_array<std::string_view>({"\t", "\r", "\n", ".", ",", ":", ";", "!", "?", "¿", "？",
                                                        "\"", "'",  "`",  "“", "”", "„", "«", "»", "‘", "’", "\u00A0"});

constexpr auto quotations =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"\"", "\""}, {"“", "”"}, {"„", "“"}, {"«", "»"}});

std::string_view without_marks(std::string_view word) {
    for (int most = 3; most > 0; --most) // marks beside each other
        for (auto const mark : marks) {
            if (word.starts_with(mark)) word.remove_prefix(mark.size());
            if (word.ends_with(mark)) word.remove_suffix(mark.size());
        }
    return word;
}

void add_words(std::vector<std::string_view>& out, std::string_view text) {
    for (auto const raw : split(text, ' ')) {
        auto const word = without_marks(raw);
        if (!word.empty() && fillers.find('|' + to_lower(word) + '|') == fillers.npos) out.push_back(word);
    }
}

// What stands in quotation marks behind the first word is one word, with all of its marks and fillers.
std::vector<std::string_view> words_of(std::string_view prompt) {
    std::vector<std::string_view> out;
    for (auto const& [open, close] : quotations) {
        auto const from = prompt.find(open);
        auto const to = prompt.rfind(close);
        if (from == prompt.npos || to == prompt.npos || to <= from + open.size()) continue;
        add_words(out, prompt.substr(0, from));
        if (out.empty()) break; // the whole prompt is quoted
        out.push_back(prompt.substr(from + open.size(), to - from - open.size()));
        add_words(out, prompt.substr(to + close.size()));
        return out;
    }
    add_words(out, prompt);
    return out;
}

// Whether the words are this sentence; reads the name.
bool fits(std::string_view sentence, std::vector<std::string_view> const& words, question& asked) {
    auto pattern = split(sentence, ' ');
    bool const named = pattern.back() == "*";
    if (named) pattern.pop_back();
    if (named ? words.size() <= pattern.size() : words.size() != pattern.size()) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (!iequals(pattern[i], words[i])) return false;
    if (named) asked.name = {words[pattern.size()].data(), words.back().data() + words.back().size()};
    return true;
}

} // namespace

model_reply respond(std::span<message const> messages, std::span<tool_description const> tools, timestamp now) {
    auto const prompt = std::find_if(messages.rbegin(), messages.rend(),
                                     [](message const& one) { return one.from == message_role::user; });
    dialogue with(messages.subspan(static_cast<std::size_t>(prompt.base() - messages.begin())), tools);
    question asked{prompt->content, {}, now};
    auto const words = words_of(asked.prompt);
    auto const is_asked = [&](phrase const& one) {
        return std::ranges::any_of(split(one.sentences, ';'),
                                   [&](auto sentence) { return fits(sentence, words, asked); });
    };
    auto const found = std::ranges::find_if(phrases, is_asked);
    if (found != phrases.end()) found->answer(with, asked);
    else if (std::ranges::any_of(words, [](auto word) { return iequals(word, "revoke"); })) revoke_key(with, asked);
    else with.answer("I can't answer that. " + std::string(examples));
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
        co_return builtin::respond(request.messages, request.tools, request.started_at);
    }

private:
    io_executor executor_;
};

} // namespace

std::unique_ptr<model> make_builtin_model(asio::io_context& context) {
    return std::make_unique<builtin_model>(context);
}

} // namespace recruiting::auth_api::agent
