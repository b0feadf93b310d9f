#include "words/words.hpp"

#include "core/text.hpp"
#include "words/english.hpp"
#include "words/french.hpp"
#include "words/german.hpp"
#include "words/japanese.hpp"
#include "words/spanish.hpp"
#include "zones/zone.hpp"

#include <algorithm>
#include <array>

namespace recruiting {
namespace {

// 0 to 1000; 0 for what can't be read.
int quality_of(std::string_view parameter) noexcept {
    parameter = trim(parameter);
    if (!parameter.starts_with("q=")) return 1000;
    parameter.remove_prefix(2);
    if (parameter.starts_with('1')) return 1000;
    if (!parameter.starts_with("0.")) return 0;
    int quality = 0;
    parameter = parameter.substr(2, 3);
    for (int weight = 100; !parameter.empty(); parameter.remove_prefix(1), weight /= 10)
        if (parameter[0] >= '0' && parameter[0] <= '9') quality += (parameter[0] - '0') * weight;
    return quality;
}

} // namespace

std::span<words const> all_words() noexcept {
    static constexpr std::array<words, 5> table = {english, german, french, spanish, japanese};
    return table;
}

words const* find_words(std::string_view tag) noexcept {
    auto const primary = tag.substr(0, tag.find('-'));
    auto const ours = all_words();
    auto const found =
        std::find_if(ours.begin(), ours.end(), [primary](words const& w) { return iequals(w.language, primary); });
    return found == ours.end() ? nullptr : &*found;
}

words const& words_for(std::string_view tag) noexcept {
    auto const* const found = find_words(tag);
    return found == nullptr ? all_words().front() : *found;
}

words const& words_asked_for(std::string_view accept_language, std::string_view otherwise) noexcept {
    words const* best = &words_for(otherwise);
    int highest = 0;
    while (!accept_language.empty()) {
        auto const comma = accept_language.find(',');
        auto const item = accept_language.substr(0, comma);
        accept_language = comma == std::string_view::npos ? std::string_view() : accept_language.substr(comma + 1);
        auto const semicolon = item.find(';');
        auto const* const found = find_words(trim(item.substr(0, semicolon)));
        auto const quality = semicolon == std::string_view::npos ? 1000 : quality_of(item.substr(semicolon + 1));
        if (found == nullptr || quality <= highest) continue;
        best = found;
        highest = quality;
    }
    return *best;
}

std::string_view word_for(words const& in, std::string_view value) noexcept {
    struct named {
        std::string_view value;
        std::string_view words::*word;
    };
    static constexpr std::array<named, 14> all = {{{"on_site", &words::on_site},
                                                   {"hybrid", &words::hybrid},
                                                   {"remote", &words::remote},
                                                   {"full_time", &words::full_time},
                                                   {"part_time", &words::part_time},
                                                   {"contract", &words::contract},
                                                   {"temporary", &words::temporary},
                                                   {"internship", &words::internship},
                                                   {"other", &words::other},
                                                   {"year", &words::year},
                                                   {"month", &words::month},
                                                   {"week", &words::week},
                                                   {"day", &words::day},
                                                   {"hour", &words::hour}}};
    for (auto const& [name, word] : all)
        if (name == value) return in.*word;
    return value;
}

std::string fill(std::string_view text, std::initializer_list<named_value> values) {
    std::string out;
    while (!text.empty()) {
        auto const open = text.find('{');
        out += text.substr(0, open);
        if (open == text.npos) break;
        text.remove_prefix(open);
        auto const close = text.find('}');
        auto const name = close == text.npos ? std::string_view() : text.substr(1, close - 1);
        auto const* const found =
            std::find_if(values.begin(), values.end(), [name](named_value const& one) { return one.name == name; });
        bool const is_named = close != text.npos && found != values.end();
        out += is_named ? found->value : text.substr(0, 1);
        text.remove_prefix(is_named ? close + 1 : 1);
    }
    return out;
}

std::string describe_time(timestamp time, std::string const& zone, words const& in) {
    auto const shown = zones::is_zone(zone) ? zone : std::string("UTC");
    auto const local = zones::format_local(time, shown); // "2026-11-24T10:00:00+01:00"
    auto const date = describe_day(time, shown, in);
    return fill(in.time.moment, {{"date", date},
                                 {"clock", std::string_view(local).substr(11, 5)},
                                 {"zone", shown},
                                 {"offset", std::string_view(local).substr(19)}});
}

std::string describe_day(timestamp time, std::string const& zone, words const& in) {
    auto const at = zones::to_local(time, zone);
    auto const day = at.day == 1 ? std::string(in.time.first_of_month) : std::to_string(at.day);
    auto const year = std::to_string(at.year);
    return fill(in.time.day, {{"weekday", in.time.weekdays.at(static_cast<std::size_t>(at.weekday))},
                              {"day", day},
                              {"month", in.time.months.at(static_cast<std::size_t>(at.month - 1))},
                              {"year", year}});
}

std::string describe_length(timestamp::duration length, words const& in) {
    auto const minutes = std::to_string(std::chrono::floor<std::chrono::minutes>(length).count());
    return fill(in.time.length, {{"minutes", minutes}});
}

void describe_interview(mail::calendar_event& event, interview_names const& of, std::string const& join_link,
                        words const& in) {
    event.summary = fill(in.mail.event_title, {{"with", of.with}, {"job", of.job_title}});
    event.description = fill(in.mail.event_stage, {{"stage", of.stage_name}});
    if (!join_link.empty()) event.description += "\n" + fill(in.mail.event_join, {{"link", join_link}});
    event.location = join_link;
    event.url = join_link;
}

} // namespace recruiting
