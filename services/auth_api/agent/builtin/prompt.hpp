// A prompt with the senses of its words: what the intents' patterns look at.
#pragma once
#include "auth_api/agent/builtin/vocabulary.hpp"
#include "auth_api/agent/builtin/words.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

struct word : raw_word {
    sense is{sense::unknown};
    std::string_view value; // of the vocabulary
};

class prompt {
public:
    /// raw must outlive it.
    explicit prompt(std::string_view raw);

    [[nodiscard]] std::string_view raw() const noexcept { return raw_; }
    [[nodiscard]] std::vector<word> const& words() const noexcept { return words_; }

    [[nodiscard]] bool has(sense wanted) const noexcept { return first(wanted) != nullptr; }
    [[nodiscard]] bool has_any(std::initializer_list<sense> wanted) const noexcept;
    [[nodiscard]] word const* first(sense wanted) const noexcept;
    /// A word in this singular is there.
    [[nodiscard]] bool says(std::string_view singular_word) const;
    /// Every word is of these senses.
    [[nodiscard]] bool only(std::initializer_list<sense> allowed) const noexcept;
    /// The text from one word to another, both included; of a lone quotation what is inside.
    [[nodiscard]] std::string text(std::size_t from, std::size_t to) const;

private:
    std::string_view raw_;
    std::vector<word> words_;
};

} // namespace recruiting::auth_api::agent::responder
