// Kinds of employment and of workplaces, in the words that boards and files use for them.
#include "core/text.hpp"
#include "recruitctl/import/record.hpp"

#include <array>
#include <utility>

namespace recruiting::recruitctl {
namespace {

using pairs = std::pair<std::string_view, std::string_view>;

// Words alone, in lower case and between blanks: boards and their customers agree on nothing else.
std::string words_of(std::string_view text) {
    std::string out(" ");
    for (char const c : to_lower(text)) {
        bool const is_letter = (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
        if (is_letter) out += c;
        else if (!out.ends_with(' ')) out += ' ';
    }
    return out += out.ends_with(' ') ? "" : " ";
}

// What the first of the known beginnings of words stands for that the text has.
template <std::size_t Count>
std::string_view find(std::array<pairs, Count> const& known, std::string_view text) {
    auto const words = words_of(text);
    for (auto const& [beginning, ours] : known)
        if (words.find(beginning) != words.npos) return ours;
    return {};
}

} // namespace

std::string_view employment_type_of(std::string_view words) {
    static constexpr std::array<pairs, 21> known = {{{" internship", "internship"},
                                                     {" intern ", "internship"},
                                                     {" interns ", "internship"},
                                                     {" temporary", "temporary"},
                                                     {" temp ", "temporary"},
                                                     {" seasonal", "temporary"},
                                                     {" fixed term", "temporary"},
                                                     {" fixedterm", "temporary"},
                                                     {" non permanent", "temporary"},
                                                     {" permanent part time", "part_time"},
                                                     {" permanent full time", "full_time"},
                                                     {" permanent contract", "full_time"},
                                                     {" contract", "contract"},
                                                     {" freelance", "contract"},
                                                     {" part time", "part_time"},
                                                     {" parttime", "part_time"},
                                                     {" working student", "part_time"},
                                                     {" full time", "full_time"},
                                                     {" fulltime", "full_time"},
                                                     {" permanent", "full_time"},
                                                     {" regular", "full_time"}}};
    auto const found = find(known, words);
    auto const given = words_of(words);
    bool const is_either = given.find(" full") != given.npos && given.find(" part") != given.npos;
    return is_either && found.ends_with("_time") ? std::string_view() : found;
}

std::string_view workplace_type_of(std::string_view words) {
    static constexpr std::array<pairs, 6> known = {{{" hybrid", "hybrid"},
                                                    {" remote", "remote"},
                                                    {" on site", "on_site"},
                                                    {" onsite", "on_site"},
                                                    {" in office", "on_site"},
                                                    {" office", "on_site"}}};
    return find(known, words);
}

} // namespace recruiting::recruitctl
