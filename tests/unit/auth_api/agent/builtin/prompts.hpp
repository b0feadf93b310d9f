// Checks which tools the built-in responder calls for families of prompts that mean the same.
#pragma once
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

namespace recruiting::test {

struct prompt_family {
    std::string expected; // calls, between line breaks; "": none, the help text
    std::vector<std::string_view> prompts;
};

inline std::string calls_of(std::string_view prompt) {
    std::string text;
    for (auto const& call : play(prompt, acme()).calls) text += (text.empty() ? "" : "\n") + call;
    return text;
}

inline void check_calls(std::vector<prompt_family> const& families) {
    for (auto const& one : families) {
        for (auto const prompt : one.prompts) {
            CAPTURE(prompt);
            CHECK(calls_of(prompt) == one.expected);
        }
    }
}

} // namespace recruiting::test
