#include "auth_api/agent/builtin/revocation_prompt.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent::responder {
namespace {

using enum sense;
using kind = revocation_prompt::kind;

// The command's verb, with nothing before it but politeness; words.size(): it is no command.
std::size_t find_command(std::vector<word> const& words) {
    std::size_t at = 0;
    while (at < words.size() && (words[at].is == polite || words[at].is == greeting)) ++at;
    return at < words.size() && words[at].is == revoke ? at : words.size();
}

// What may stand behind the name: anything else ("not yet", "if nobody uses it") may take the command back.
bool is_tail(word const& one) {
    constexpr auto haste = std::to_array<std::string_view>(
        {"please", "kindly", "now", "right now", "immediately", "at once", "bitte", "s il vous plait", "por favor"});
    return one.is == thanks || std::ranges::find(haste, one.text) != haste.end();
}

bool is_request(word const& one) {
    return one.text == "can you" || one.text == "could you" || one.text == "would you" || one.text == "will you";
}

// Nothing but politeness from the word `from` on. A question mark makes a command a question, unless it was put as one.
bool ends_command(prompt const& asked, std::size_t from) {
    auto const& words = asked.words();
    auto const rest = asked.raw().substr(words[from - 1].end);
    bool const asks = rest.find('?') != std::string_view::npos && !std::ranges::any_of(words, is_request);
    return !asks && std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from), words.end(), is_tail);
}

void add(std::vector<std::string>& names, std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

std::string_view without_end_mark(std::string_view text) {
    text = trim(text);
    while (!text.empty() && std::string_view(".!?").find(text.back()) != std::string_view::npos)
        text = trim(text.substr(0, text.size() - 1));
    return text;
}

// The last word of an unquoted name: it reaches to the end of its sentence, without what may only surround it.
std::size_t last_of_name(std::vector<word> const& words, std::size_t from) {
    auto last = from;
    while (last + 1 < words.size() && !words[last].ends_clause) ++last;
    while (last > from && is_tail(words[last])) --last;
    return last;
}

std::vector<std::string> names_from(prompt const& asked, std::size_t from, std::size_t last) {
    std::vector<std::string> names;
    add(names, without_end_mark(asked.raw().substr(asked.words()[from].begin)));
    add(names, asked.text(from, last));
    if (last > from && asked.words()[last].is == key) add(names, asked.text(from, last - 1));
    return names;
}

bool is_plural_key(word const& one) { return one.is == key && singular(one.text) != one.text; }

// Between the verb and the name: "the API key named"; behind "key" and "named" everything is the name's.
bool is_before_name(word const& one, word const& previous) {
    if (one.is == key || one.is == named) return previous.is != named;
    bool const name_begins = previous.is == key || previous.is == named;
    return !name_begins && (one.is == article || one.is == all || one.is == per || one.is == reference);
}

// "Delete" and its like are said of much, "revoke" of keys alone.
bool means_revoke(word const& verb) { return verb.text.starts_with("revo") || verb.text.starts_with("widerruf"); }

revocation_prompt read_name(prompt const& asked, std::size_t verb, std::size_t at) {
    auto const& words = asked.words();
    auto last = words[at].is == quoted ? at : last_of_name(words, at);
    bool const key_follows = last == at && at + 1 < words.size() && !words[at].ends_clause && words[at + 1].is == key;
    bool const key_before = words[at - 1].is == key || (words[at - 1].is == named && words[at - 2].is == key);
    if (words[at].is == quoted && key_follows) last = at + 1;
    bool const of_key = key_before || words[last].is == key;
    if (!ends_command(asked, last + 1) || (!of_key && !means_revoke(words[verb]))) return {kind::unnamed, {}};
    if (words[at].is == quoted) return {kind::one, {words[at].text}};
    return {kind::one, names_from(asked, at, last)};
}

revocation_prompt read_command(prompt const& asked, std::size_t verb) {
    auto const& words = asked.words();
    bool plural = false;
    auto at = verb + 1;
    while (at < words.size() && !words[at - 1].ends_clause && is_before_name(words[at], words[at - 1])) {
        plural = plural || words[at].is == all || words[at].is == per || is_plural_key(words[at]);
        ++at;
    }
    auto const quotations = std::ranges::count(words, quoted, &word::is);
    if (plural || quotations > 1) return {kind::several, {}};
    if (at == words.size() || words[at - 1].ends_clause || is_tail(words[at])) return {kind::unnamed, {}};
    return read_name(asked, verb, at);
}

} // namespace

revocation_prompt read_revocation(prompt const& asked) {
    auto const& words = asked.words();
    auto const verb = find_command(words);
    bool const of_key = asked.has(key);
    if (verb == words.size()) return {asked.has(revoke) && of_key ? kind::question : kind::none, {}};
    if (!of_key && !means_revoke(words[verb])) return {};
    return read_command(asked, verb);
}

} // namespace recruiting::auth_api::agent::responder
