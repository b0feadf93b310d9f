#include "auth_api/resources/search_words.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

bool is_word_byte(char c) noexcept {
    auto const byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

std::optional<std::string> read_search(http::query_reader& query) {
    auto q = query.text("q");
    if (q && std::ranges::none_of(*q, is_word_byte)) query.problem("q", "invalid", "Must hold a letter or a digit.");
    return q;
}

} // namespace recruiting::auth_api
