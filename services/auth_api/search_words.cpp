#include "auth_api/search_words.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::size_t most_words = 8;

bool is_word_byte(char c) noexcept {
    auto const byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

std::vector<std::string> search_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    auto const finish = [&] {
        if (!word.empty() && words.size() < most_words) words.push_back(word);
        word.clear();
    };
    for (char const c : text) {
        if (is_word_byte(c)) word += c;
        else finish();
    }
    finish();
    return words;
}

std::vector<std::string> read_search(http::query_reader& query) {
    auto const q = query.text("q");
    if (!q) return {};
    auto words = search_words(*q);
    if (words.empty()) query.problem("q", "invalid", "Must hold a letter or a digit.");
    return words;
}

} // namespace recruiting::auth_api
