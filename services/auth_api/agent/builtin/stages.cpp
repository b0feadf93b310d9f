#include "auth_api/agent/builtin/stages.hpp"

#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/names.hpp"
#include "auth_api/agent/builtin/wording.hpp"

#include <functional>

namespace recruiting::auth_api::agent::responder {
namespace {

std::vector<record> where(record const& pipeline, std::function<bool(record const&)> const& fits) {
    auto stages = pipeline["stages"].items();
    std::erase_if(stages, [&fits](record const& stage) { return !fits(stage); });
    return stages;
}

std::string_view kind_named(std::string_view name) {
    auto const words = plain(name);
    for (auto const& text : {words, singular(words)})
        if (auto const known = find_meaning(text); known && known->is == sense::stage_name) return known->value;
    return words == "hired" ? "hired" : "";
}

} // namespace

std::vector<record> stages_named(record const& pipeline, std::string_view name) {
    auto found = where(pipeline, [&](record const& stage) { return same_name(stage.text("name"), name); });
    if (!found.empty()) return found;
    auto const kind = kind_named(name);
    if (!kind.empty()) found = where(pipeline, [&](record const& stage) { return stage.text("kind") == kind; });
    if (!found.empty()) return found;
    return where(pipeline, [&](record const& stage) { return names_match(stage.text("name"), name); });
}

std::int64_t candidates_in(std::vector<record> const& stages) {
    std::int64_t sum = 0;
    for (auto const& stage : stages) sum += stage.number("candidateCount").value_or(0);
    return sum;
}

std::string no_such_stage(record const& pipeline, std::string_view name) {
    auto const names =
        lines_of(pipeline["stages"].items(), [](record const& stage) { return shown(stage.text("name")); });
    auto text = "There is no stage " + in_quotes(name) + " in " + in_quotes(pipeline.text("jobTitle")) + ".";
    if (!names.empty()) text += " Its stages: " + joined(names) + ".";
    return text;
}

std::vector<std::string> counts_by_stage(std::vector<record> const& stages) {
    return lines_of(stages, [](record const& stage) {
        return shown(stage.text("name")) + ": " + number(stage.number("candidateCount").value_or(0));
    });
}

} // namespace recruiting::auth_api::agent::responder
