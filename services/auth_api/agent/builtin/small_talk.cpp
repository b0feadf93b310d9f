// Greetings, thanks, "what can you do?", and what is said of questions that are not understood.
#include "auth_api/agent/builtin/intents.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

plan saying(std::string text) {
    return [text = std::move(text)](desk& work) { work.say(text); };
}

} // namespace

std::string help_text() {
    return "I answer questions about your organization's recruiting. For example:\n"
           "- Which jobs are open? Which jobs are open in Berlin?\n"
           "- What does the job “Backend Engineer” say?\n"
           "- How many candidates are in the interview stage of “Backend Engineer”?\n"
           "- Who is in the pipeline for “Backend Engineer”?\n"
           "- Find the candidate Anna Schmidt\n"
           "- Who are the admins? How many members do we have?\n"
           "- What is our time zone?\n"
           "- Who revoked a key this week? What did anna@example.com do yesterday? (admins)\n"
           "- What plan are we on, and how much have we used? (admins)\n"
           "- List the API keys. Revoke the key “warehouse-sync”\n"
           "Names are best put in quotes.";
}

std::string too_long_text() {
    return "That is too long for the built-in responder: please ask in fewer words.\n" + help_text();
}

plan match_small_talk(question const& about) {
    auto const& asked = about.asked;
    using enum sense;
    if (asked.words().empty()) return nullptr;
    if (asked.only({greeting, polite, pronoun, reference, conjunction}) && asked.has(greeting))
        return saying("Hello! Ask me about your jobs, candidates, pipelines, members or API keys, or say “help” to see "
                      "what I can do.");
    if (asked.only({thanks, polite, pronoun, conjunction, preposition, greeting, article, help}) && asked.has(thanks))
        return saying("You're welcome.");
    return nullptr;
}

plan match_negation(question const& about) {
    bool const asks = about.asked.has(sense::negation) && !about.asked.only({sense::negation, sense::polite});
    if (!asks) return nullptr;
    return saying("I can't answer questions with “not” or “without” yet: please ask for what is instead.\n" +
                  help_text());
}

} // namespace recruiting::auth_api::agent::responder
