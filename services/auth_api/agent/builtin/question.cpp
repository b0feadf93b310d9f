#include "auth_api/agent/builtin/question.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

namespace recruiting::auth_api::agent::builtin {

// A word, or what stands between quotation marks.
struct question::token {
    std::string_view text;
    bool quoted{false};
    bool opens{false}; // a sentence or clause
};

namespace {

constexpr std::size_t longest_quotation = 300; // bytes
constexpr std::size_t most_capitals = 8;       // words of a name; bounds the work of a prompt full of capitals

// Words that add nothing to a question.
constexpr std::string_view fillers =
    "a,an,the,is,are,was,were,be,been,of,for,in,on,at,to,we,our,us,i,me,my,you,your,there,here,currently,now,right now,"
    "in total,please,can you,could you,would you,do we,do you,does,have,has,tell,show,list,give,get,display,which,"
    "about,say,any,latest,newest,recent";

// Words that are keywords themselves.
constexpr std::string_view plain_keywords =
    "what,who,when,find,job,jobs,open,closed,archived,published,remote,hybrid,candidate,candidates,active,hired,"
    "rejected,withdrawn,pipeline,applied,assessment,member,members,organization,name,country,revoked,created,added,"
    "removed,changed,requests,key,keys,expired,revoke,help,thanks";

struct synonyms {
    std::string_view keyword;
    std::string_view words;
};
constexpr auto vocabulary = std::to_array<synonyms>({
    {"did", "did,do"},
    {"called", "called,named"},
    {"count", "how many,how much,number of,count"},
    {"all", "all,every"},
    {"find", "search for,look up"},
    {"job", "position,vacancy,posting"},
    {"jobs", "positions,openings,vacancies,postings"},
    {"detail", "describe,description,details,salary,requirements,location"},
    {"draft", "draft,drafts"},
    {"on_hold", "on hold,paused"},
    {"published", "careers page"},
    {"on_site", "on site,on-site,onsite"},
    {"candidate", "applicant"},
    {"candidates", "applicants"},
    {"withdrawn", "withdrew"},
    {"stage", "stage,stages"},
    {"screen", "screen,screening"},
    {"interview", "interview,interviews"},
    {"offer", "offer,offers"},
    {"members", "users,colleagues,team members"},
    {"admin", "admin,admins,administrator,administrators"},
    {"recruiter", "recruiter,recruiters"},
    {"hiring_manager", "hiring manager,hiring managers"},
    {"interviewer", "interviewer,interviewers"},
    {"viewer", "viewer,viewers"},
    {"role", "role,roles"},
    {"organization", "organisation,company"},
    {"website", "website,web site"},
    {"time_zone", "time zone,timezone"},
    {"plan", "plan,subscription,billing"},
    {"invoices", "invoice,invoices"},
    {"seats", "seat,seats"},
    {"usage", "usage,used"},
    {"audit", "audit log,audit trail,audit"},
    {"failed", "failed,refused"},
    {"key", "api key"},
    {"keys", "api keys"},
    {"expire", "expire,expires"},
    {"hello", "hello,hi,hey,good morning"},
    {"thanks", "thank you"},
    {"help", "what can"},
});

std::unordered_map<std::string_view, std::string_view> make_dictionary() {
    std::unordered_map<std::string_view, std::string_view> out;
    for (auto const word : split(fillers, ',')) out.try_emplace(word);
    for (auto const word : split(plain_keywords, ',')) out.try_emplace(word, word);
    for (auto const& one : vocabulary)
        for (auto const word : split(one.words, ',')) out.try_emplace(word, one.keyword);
    return out;
}

// The keyword that some words mean, empty for fillers; nullptr: they are unknown.
std::string_view const* find_keyword(std::string const& words) {
    static auto const dictionary = make_dictionary();
    auto const found = dictionary.find(words);
    return found == dictionary.end() ? nullptr : &found->second;
}

struct quotation {
    std::string_view open;
    std::string_view close;
};
constexpr auto quotations =
    std::to_array<quotation>({{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}});

// Bytes of a character that belongs to no word, at the begin of the text; 0: a letter, a digit, or another script.
std::size_t mark_size(std::string_view text) {
    constexpr auto marks =
        std::to_array<std::string_view>({"“", "”", "„", "«", "»", "‘", "’", "–", "—", "…", "¿", "¡", "\u00A0"});
    auto const byte = static_cast<unsigned char>(text.front());
    if (byte < 0x80) return std::isalnum(byte) != 0 || byte == '_' ? 0 : 1;
    auto const found = std::ranges::find_if(marks, [text](auto mark) { return text.starts_with(mark); });
    return found == marks.end() ? 0 : found->size();
}

// Bytes of a mark that joins two parts of one word, as in "O'Brien" and "anna@example.com"; 0: none.
std::size_t joiner_size(std::string_view text) {
    constexpr auto joiners = std::to_array<std::string_view>({"-", "'", "’", ".", "@", "/", "+", "&"});
    for (auto const one : joiners)
        if (text.starts_with(one) && text.size() > one.size() && mark_size(text.substr(one.size())) == 0)
            return one.size();
    return 0;
}

// Bytes of the word at the begin of the text; 0: there is none.
std::size_t word_size(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size()) {
        auto const rest = text.substr(size);
        bool const letter = mark_size(rest) == 0;
        auto const joiner = size > 0 && !letter ? joiner_size(rest) : 0;
        if (!letter && joiner == 0) break;
        size += letter ? 1 : joiner;
    }
    return size;
}

std::string_view without_possessive(std::string_view word) {
    for (std::string_view const ending : {"'s", "’s"})
        if (word.ends_with(ending)) return word.substr(0, word.size() - ending.size());
    return word;
}

// The quotation at the begin of the text, without its marks.
std::optional<std::string_view> quotation_at(std::string_view text) {
    for (auto const& [open, close] : quotations) {
        if (!text.starts_with(open)) continue;
        auto const inside = text.substr(open.size(), longest_quotation);
        auto const end = inside.find(close);
        if (end != std::string_view::npos && !trim(inside.substr(0, end)).empty()) return inside.substr(0, end);
    }
    return std::nullopt;
}

bool has_capital(std::string_view word) {
    auto const first = static_cast<unsigned char>(word.front());
    return first >= 0x80 || std::isupper(first) != 0;
}

bool looks_like_name(std::string_view word) {
    auto const is = [word](auto test) {
        return std::ranges::any_of(word, [test](char c) { return test(static_cast<unsigned char>(c)) != 0; });
    };
    bool const marked = word.find_first_of("@_-") != std::string_view::npos;
    return (marked && is([](int c) { return std::isalpha(c); })) ||
           (is([](int c) { return std::isdigit(c); }) && is([](int c) { return std::isalpha(c); }));
}

} // namespace

std::string record_id(std::string_view name) {
    auto text = to_lower(name);
    std::erase(text, '-');
    bool const hexadecimal = text.find_first_not_of("0123456789abcdef") == std::string::npos;
    return text.size() == 32 && hexadecimal ? text : std::string();
}

question::question(std::string_view prompt) : prompt_(prompt) {
    auto const found = tokens();
    for (std::size_t at = 0; at < found.size();) at += read(found, at);
}

std::vector<question::token> question::tokens() const {
    std::vector<token> out;
    bool opens = true;
    for (std::string_view rest = prompt_; !rest.empty();) {
        if (auto const quoted = quotation_at(rest)) {
            out.push_back({trim(*quoted), true, opens});
            opens = false;
            auto const end = static_cast<std::size_t>(quoted->data() + quoted->size() - rest.data());
            rest.remove_prefix(end + mark_size(rest.substr(end)));
            continue;
        }
        auto const size = word_size(rest);
        if (size > 0) out.push_back({rest.substr(0, size), false, opens});
        opens = size == 0 && (opens || std::string_view(".!?:;\n").find(rest.front()) != std::string_view::npos);
        rest.remove_prefix(size > 0 ? size : mark_size(rest));
    }
    return out;
}

// Reads one name, keyword or time: how many tokens it has.
std::size_t question::read(std::vector<token> const& tokens, std::size_t at) {
    auto const lower = [&tokens](std::size_t i) { return to_lower(without_possessive(tokens[i].text)); };
    auto const& one = tokens[at];
    if (one.quoted) {
        names_.emplace_back(one.text);
        return 1;
    }
    if (auto const size = read_time(tokens, at)) return size;
    bool const two = at + 1 < tokens.size() && !tokens[at + 1].quoted && !tokens[at + 1].opens;
    auto const* known = two ? find_keyword(lower(at) + ' ' + lower(at + 1)) : nullptr;
    std::size_t const size = known != nullptr ? 2 : 1;
    if (auto const capitals = known != nullptr ? 0 : read_capitals(tokens, at)) return capitals;
    if (known == nullptr) known = find_keyword(lower(at));
    if (known != nullptr && !known->empty()) keywords_.push_back(*known);
    if (known != nullptr) return size;
    if (looks_like_name(one.text)) names_.emplace_back(without_possessive(one.text));
    else understood_ = false;
    return 1;
}

// Words with capitals in a row, at least one of them no keyword: "Key Account Manager". The first word of a sentence
// has its capital anyway.
std::size_t question::read_capitals(std::vector<token> const& tokens, std::size_t at) {
    auto const limit = std::min(tokens.size(), at + most_capitals);
    auto end = at;
    bool unknown = false;
    for (; end < limit && !tokens[end].quoted && !tokens[end].opens && has_capital(tokens[end].text); ++end)
        unknown = unknown || find_keyword(to_lower(without_possessive(tokens[end].text))) == nullptr;
    if (!unknown) return 0;
    auto const* const begin = tokens[at].text.data();
    auto const last = without_possessive(tokens[end - 1].text);
    names_.emplace_back(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
    return end - at;
}

std::size_t question::read_time(std::vector<token> const& tokens, std::size_t at) {
    auto const is = [&tokens](std::size_t i, std::string_view word) {
        return i < tokens.size() && !tokens[i].quoted && iequals(tokens[i].text, word);
    };
    std::optional<named_time> found;
    bool const week = is(at, "this") && is(at + 1, "week");
    if (week) found = named_time::this_week;
    else if (is(at, "today")) found = named_time::today;
    else if (is(at, "yesterday")) found = named_time::yesterday;
    if (!found) return 0;
    if (time_) understood_ = false; // a second time
    time_ = found;
    return week ? 2 : 1;
}

bool question::has(std::string_view keyword) const noexcept {
    return std::ranges::find(keywords_, keyword) != keywords_.end();
}

bool question::has_any(std::initializer_list<std::string_view> keywords) const noexcept {
    return std::ranges::any_of(keywords, [this](auto one) { return has(one); });
}

bool question::only(std::initializer_list<std::string_view> keywords) const noexcept {
    return std::ranges::all_of(keywords_,
                               [keywords](auto one) { return std::ranges::find(keywords, one) != keywords.end(); });
}

std::vector<std::string_view> question::among(std::initializer_list<std::string_view> keywords) const {
    std::vector<std::string_view> out;
    for (auto const one : keywords)
        if (has(one)) out.push_back(one);
    return out;
}

time_range range_of(named_time what, timestamp now) {
    using std::chrono::days;
    auto const day = std::chrono::floor<days>(now);
    timestamp const today = day;
    timestamp const monday = day - days{std::chrono::weekday(day).iso_encoding() - 1};
    switch (what) {
    case named_time::today: return {today, today + days{1}, "today (UTC)"};
    case named_time::yesterday: return {today - days{1}, today, "yesterday (UTC)"};
    case named_time::this_week: return {monday, std::nullopt, "since Monday (UTC)"};
    }
    return {};
}

} // namespace recruiting::auth_api::agent::builtin
