// The pages' own few words in five languages, and which of them a reader wants. Pure.
#pragma once
#include <span>
#include <string_view>

namespace recruiting::public_api {

struct words {
    std::string_view language; // as in <html lang>
    std::string_view thousands;
    std::string_view skip;
    std::string_view open_jobs;
    std::string_view search;
    std::string_view department;
    std::string_view location;
    std::string_view workplace;
    std::string_view employment;
    std::string_view any;
    std::string_view show;
    std::string_view reset;
    std::string_view no_jobs;
    std::string_view previous;
    std::string_view next;
    std::string_view pages;
    std::string_view salary;
    std::string_view published;
    std::string_view closes;
    std::string_view invited;
    std::string_view without_script;
    std::string_view original;
    std::string_view not_found;
    std::string_view not_found_text;
    std::string_view unavailable;
    std::string_view unavailable_text;
    std::string_view refused;
    std::string_view refused_text;
    std::string_view request;
    std::string_view on_site, hybrid, remote;
    std::string_view full_time, part_time, contract, temporary, internship, other;
    std::string_view year, month, week, day, hour; // of a salary: "per year"
};

/// One a language, English first.
[[nodiscard]] std::span<words const> all_words() noexcept;
/// The wording of one of our languages; English for any other.
[[nodiscard]] words const& words_for(std::string_view language) noexcept;
/// What an Accept-Language field asks for (RFC 9110 section 12.5.4) among ours: the highest quality, then the first.
[[nodiscard]] words const& words_asked_for(std::string_view accept_language) noexcept;

/// An API's value ("full_time", "year", …) in words; itself when it is none of ours.
[[nodiscard]] std::string_view word_for(words const& in, std::string_view value) noexcept;

} // namespace recruiting::public_api
