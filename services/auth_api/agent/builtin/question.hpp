// A prompt taken apart: the keywords it has, the names in it, the time it speaks of. An intent answers only when it
// knows what to do with every word; a prompt with any other word is not understood.
#pragma once
#include "core/time.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::builtin {

enum class named_time { today, yesterday, this_week };

struct time_range {
    timestamp from;
    std::optional<timestamp> before;
    std::string words; // "today (UTC)"
};
/// Days are those of UTC.
[[nodiscard]] time_range range_of(named_time what, timestamp now);

class question {
public:
    explicit question(std::string_view prompt);

    [[nodiscard]] std::string const& prompt() const noexcept { return prompt_; }
    /// False: the prompt has a word that is no keyword, no name and no time.
    [[nodiscard]] bool understood() const noexcept { return understood_; }
    [[nodiscard]] bool has(std::string_view keyword) const noexcept;
    [[nodiscard]] bool has_any(std::initializer_list<std::string_view> keywords) const noexcept;
    /// Every keyword is one of these.
    [[nodiscard]] bool only(std::initializer_list<std::string_view> keywords) const noexcept;
    /// The keywords of the prompt that are among these, each once.
    [[nodiscard]] std::vector<std::string_view> among(std::initializer_list<std::string_view> keywords) const;
    /// Quotations, e-mail addresses, ids, words such as "ci-2", and words with a capital within a sentence.
    [[nodiscard]] std::vector<std::string> const& names() const noexcept { return names_; }
    [[nodiscard]] std::optional<named_time> time() const noexcept { return time_; }

private:
    struct token;
    [[nodiscard]] std::vector<token> tokens() const;
    // Each returns how many tokens it has read; 0: what it looks for is not there.
    std::size_t read(std::vector<token> const& tokens, std::size_t at);
    std::size_t read_capitals(std::vector<token> const& tokens, std::size_t at);
    std::size_t read_time(std::vector<token> const& tokens, std::size_t at);

    std::string prompt_;
    std::vector<std::string_view> keywords_;
    std::vector<std::string> names_;
    std::optional<named_time> time_;
    bool understood_{true};
};

/// 32 hexadecimal digits, dashes allowed; written without them. Empty: the name is no id.
[[nodiscard]] std::string record_id(std::string_view name);

} // namespace recruiting::auth_api::agent::builtin
