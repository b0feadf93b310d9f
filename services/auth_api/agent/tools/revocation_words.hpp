// The words of a command to revoke a key, and those that make a sentence something else than one. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

enum class word_role {
    revoking, // said of credentials
    removing, // said of anything: "delete"
    key_noun,
    filler, // articles and courtesy
};

/// The words of a text, in lower case. Chinese, Japanese and Korean are taken apart into known words; what is left is
/// one word.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// nullopt: a word with no place in a command.
[[nodiscard]] std::optional<word_role> role_of(std::string_view word);

/// A negation, a question, a condition or a report: with such a word a sentence asks for nothing.
[[nodiscard]] bool denies(std::string_view word);
/// The same of a sentence's first word.
[[nodiscard]] bool opens_question(std::string_view word);

/// Takes "can you" and its like out of a text in lower case. True: there was one.
bool take_courtesy(std::string& text);

} // namespace recruiting::auth_api::agent
