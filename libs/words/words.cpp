#include "words/words.hpp"

#include "core/text.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting {

std::span<words const> all_words() noexcept { return words_table; }

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

words const& requested_words(std::string_view accept_language, std::string_view otherwise) noexcept {
    words const* best = &words_for(otherwise);
    int highest = 0;
    while (!accept_language.empty()) {
        auto const [tag, quality] = take_weighted(accept_language);
        auto const* const found = find_words(tag);
        if (found == nullptr || quality <= highest) continue;
        best = found;
        highest = quality;
    }
    return *best;
}

std::string_view word_for(words const& in, std::string_view value) noexcept {
    for (auto const& [name, text] : script_words_names)
        if (name == value) return in.script.*text;
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

moment_text describe_moment(timestamp time, std::string const& zone, words const& in) {
    auto const shown = zones::is_zone(zone) ? zone : std::string("UTC");
    auto const local = zones::format_local(time, shown); // "2026-11-24T10:00:00+01:00"
    auto const date = describe_day(time, shown, in);
    auto const clock = std::string_view(local).substr(11, 5);
    auto const offset = std::string_view(local).substr(19);
    return {fill(in.time.moment, {{"date", date}, {"clock", clock}}),
            fill(in.time.zone, {{"zone", zones::current_name(shown)}, {"offset", offset}})};
}

std::string describe_time(timestamp time, std::string const& zone, words const& in) {
    auto const [text, shown] = describe_moment(time, zone, in);
    return fill(in.time.moment_in_zone, {{"moment", text}, {"zone", shown}});
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

void describe_interview(mail::calendar_event& event, interview_names const& of, interview_links const& links,
                        words const& in) {
    auto const add_link = [&event](std::string_view text, std::string const& link) {
        if (!link.empty()) event.description += "\n" + fill(text, {{"link", link}});
    };
    event.summary = fill(in.mail.event_title, {{"with", of.with}, {"job", of.job_title}});
    event.description = fill(in.mail.event_stage, {{"stage", of.stage_name}});
    add_link(in.mail.event_join, links.join);
    add_link(in.mail.event_change, links.manage);
    add_link(in.mail.event_decline, links.decline);
    event.location = links.join;
    event.url = links.join;
    event.is_private = !links.manage.empty() || !links.decline.empty();
}

} // namespace recruiting
