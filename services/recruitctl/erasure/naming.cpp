#include "recruitctl/erasure/naming.hpp"

#include "core/text.hpp"
#include "words/search_key.hpp"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <iterator>
#include <optional>

namespace recruiting::recruitctl::erasure {
namespace {

using utf8 = boost::locale::utf::utf_traits<char>;

bool contains(std::string_view text, std::string const& part) { return text.find(part) != text.npos; }

// What an address could go on with to its left or right; a dot on its right may end a sentence.
bool goes_on_before(char c) {
    return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("._%+-").find(c) != std::string_view::npos;
}
bool goes_on_after(std::string_view rest) {
    if (rest.empty()) return false;
    auto const letter = [](char c) { return is_alphanumeric(c) || c == '-' || static_cast<unsigned char>(c) >= 0x80; };
    return letter(rest[0]) || (rest[0] == '.' && rest.size() > 1 && letter(rest[1]));
}

bool contains_address(std::string_view text, std::string const& address) {
    for (auto at = text.find(address); at != text.npos; at = text.find(address, at + 1))
        if ((at == 0 || !goes_on_before(text[at - 1])) && !goes_on_after(text.substr(at + address.size()))) return true;
    return false;
}

// The code unit of "uXXXX" at the front of a text.
std::optional<char32_t> unicode_escape(std::string_view text) {
    if (text.size() < 5 || text[0] != 'u') return std::nullopt;
    char32_t unit = 0;
    for (char const c : text.substr(1, 4)) {
        auto const digit = hex_value(c);
        if (digit < 0) return std::nullopt;
        unit = unit * 16 + static_cast<char32_t>(digit);
    }
    return unit;
}

// Takes one escape off the front, after its backslashes.
void take_escape(std::string_view& rest, std::string& out) {
    auto const unit = unicode_escape(rest);
    if (!unit) {
        if (!rest.empty() && std::string_view("nrtbf").find(rest[0]) != std::string_view::npos) rest.remove_prefix(1);
        out += ' ';
        return;
    }
    rest.remove_prefix(5);
    if (*unit < 0xD800 || *unit > 0xDFFF) {
        utf8::encode(*unit, std::back_inserter(out));
        return;
    }
    auto const marks = std::min(rest.find_first_not_of('\\'), rest.size());
    auto const low = unicode_escape(rest.substr(marks));
    if (*unit > 0xDBFF || !low || *low < 0xDC00 || *low > 0xDFFF) return;
    rest.remove_prefix(marks + 5);
    utf8::encode(0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), std::back_inserter(out));
}

std::string without_escapes(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto const plain = std::min(text.find('\\'), text.size());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        text.remove_prefix(std::min(text.find_first_not_of('\\'), text.size()));
        take_escape(text, out);
    }
    return out;
}

} // namespace

std::string_view to_string(named_by how) noexcept {
    switch (how) {
    case named_by::nothing: return "nothing";
    case named_by::name: return "name";
    case named_by::address: return "address";
    case named_by::id: return "id";
    }
    return "nothing";
}

void naming::add_id(uuid const& id) {
    ids_.push_back(recruiting::to_string(id));
    ids_.push_back(to_dashed_string(id));
}

void naming::add_address(std::string_view address) {
    auto key = search_key(address);
    if (!key.empty() && std::ranges::find(addresses_, key) == addresses_.end()) addresses_.push_back(std::move(key));
}

void naming::add_name(std::string_view name) {
    auto words = spaced_words(name);
    if (words != " " && std::ranges::find(names_, words) == names_.end()) names_.push_back(std::move(words));
}

named_by naming::find_plain(std::string_view text) const {
    auto const key = search_key(text);
    if (std::ranges::any_of(ids_, [&](auto const& id) { return contains(key, id); })) return named_by::id;
    if (std::ranges::any_of(addresses_, [&](auto const& address) { return contains_address(key, address); }))
        return named_by::address;
    if (names_.empty()) return named_by::nothing;
    auto const words = spaced_words(text);
    return std::ranges::any_of(names_, [&](auto const& name) { return contains(words, name); }) ? named_by::name
                                                                                                : named_by::nothing;
}

named_by naming::find(std::string_view text) const {
    auto const plain = find_plain(text);
    if (text.find('\\') == text.npos) return plain;
    return std::max(plain, find_plain(without_escapes(text)));
}

} // namespace recruiting::recruitctl::erasure
