#include "auth_api/agent/tools/cut.hpp"

#include "core/text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_text = 16 * 1024; // of the first try; each further one halves both
constexpr std::size_t longest_list = 128;
constexpr std::size_t shortest_text = 16;

struct bounds {
    std::size_t text{longest_text};
    std::size_t list{longest_list};
};

void cut_text(json::string& text, std::size_t most) {
    if (text.size() <= most) return;
    text.resize(truncate_utf8({text.data(), text.size()}, most).size());
    text.append("…");
}

void cut(json::value& value, bounds const& most);

void cut(json::array& list, bounds const& most) {
    if (list.size() > most.list) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most.list), list.end());
    for (auto& item : list) cut(item, most);
}

void cut(json::object& object, bounds const& most) {
    bool shortened = false;
    for (auto& member : object) {
        auto const* const list = member.value().if_array();
        shortened = shortened || (list != nullptr && list->size() > most.list);
        cut(member.value(), most);
    }
    if (auto* const more = object.if_contains("hasMore"); more != nullptr && shortened) *more = true;
}

void cut(json::value& value, bounds const& most) {
    if (value.is_string()) cut_text(value.get_string(), most.text);
    else if (value.is_array()) cut(value.get_array(), most);
    else if (value.is_object()) cut(value.get_object(), most);
}

} // namespace

std::string cut_record(std::string_view text, std::size_t most) {
    boost::system::error_code failed;
    auto record = json::parse(text, failed);
    bounds allowed;
    while (!failed && record.is_object() && allowed.text >= shortest_text) {
        cut(record, allowed);
        json::object out{{"truncated", true}};
        for (auto const& member : record.get_object()) out.insert(member);
        if (auto shorter = json::serialize(out); shorter.size() <= most) return shorter;
        allowed = {allowed.text / 2, std::max<std::size_t>(allowed.list / 2, 1)};
    }
    return R"({"truncated":true,"data":null})";
}

} // namespace recruiting::auth_api::agent
