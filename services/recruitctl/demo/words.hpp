// The words demo records are made of. Names are common ones of many countries; companies and streets are invented, and
// all addresses end in .example (RFC 2606), so that nothing can ever reach a real person.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace recruiting::recruitctl::demo_words {

using word = std::string_view;

struct place {
    word name; // of the office
    word city;
    word region;
    word country_code;
    word currency;
    word phone; // country and area code
};

struct role {
    word title;
    word department;
    std::int64_t salary; // a year, in euros: the middle of its range
    bool engineering;    // has a technical interview and a work sample
    word mission;        // what the person does, for the description
    word skills;         // separated by ;
};

extern std::span<word const> const first_names;
extern std::span<word const> const last_names;
extern std::span<word const> const companies;
extern std::span<word const> const sources;
extern std::span<word const> const rejection_reasons;
extern std::span<place const> const places;
extern std::span<role const> const roles;
extern std::span<word const> const seniorities;

} // namespace recruiting::recruitctl::demo_words
