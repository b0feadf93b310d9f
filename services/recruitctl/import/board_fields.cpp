#include "recruitctl/import/board_fields.hpp"

#include "core/text.hpp"

#include <array>
#include <utility>

namespace recruiting::recruitctl {
namespace {

using pairs = std::pair<std::string_view, std::string_view>;

// Letters alone, in lower case: boards and their customers agree on nothing else.
std::string letters_of(std::string_view words) {
    std::string out;
    for (char const c : to_lower(words))
        if (c >= 'a' && c <= 'z') out += c;
    return out;
}

template <std::size_t Count>
std::string_view find(std::array<pairs, Count> const& known, std::string_view words) {
    auto const letters = letters_of(words);
    for (auto const& [beginning, ours] : known)
        if (letters.starts_with(beginning)) return ours;
    return {};
}

} // namespace

std::string board_id(boost::json::object const& posting) {
    auto const* const id = posting.if_contains("id");
    if (id == nullptr) return {};
    if (id->is_int64()) return std::to_string(id->get_int64());
    if (id->is_uint64()) return std::to_string(id->get_uint64());
    return std::string(board_text(posting, "id"));
}

std::string_view board_text(boost::json::object const& from, std::string_view name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return trim(std::string_view(value->get_string()));
}

std::string_view employment_type_of(std::string_view words) {
    static constexpr std::array<pairs, 10> known = {{{"fulltime", "full_time"},
                                                     {"permanent", "full_time"},
                                                     {"regular", "full_time"},
                                                     {"parttime", "part_time"},
                                                     {"contract", "contract"},
                                                     {"freelance", "contract"},
                                                     {"temporary", "temporary"},
                                                     {"fixedterm", "temporary"},
                                                     {"intern", "internship"},
                                                     {"workingstudent", "part_time"}}};
    return find(known, words);
}

std::string_view workplace_type_of(std::string_view words) {
    static constexpr std::array<pairs, 5> known = {{{"remote", "remote"},
                                                    {"hybrid", "hybrid"},
                                                    {"onsite", "on_site"},
                                                    {"inoffice", "on_site"},
                                                    {"office", "on_site"}}};
    return find(known, words);
}

} // namespace recruiting::recruitctl
