#include "auth_api/agent/builtin/key_lines.hpp"

#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {

std::string key_line(record const& key) {
    auto line = in_quotes(key.text("name")) + " (" + shown(key.text("displayedPrefix")) + "…, " +
                shown(key.text("ownerName")) + "): " + spaced(key.text("state"));
    if (!key.text("expiresAt").empty()) line += ", expires " + day_of(key.text("expiresAt"));
    auto const used = key.text("lastUsedAt");
    line += used.empty() ? ", never used" : ", last used " + minute_of(used);
    std::vector<std::string> scopes;
    for (auto const& scope : key["scopes"].items()) scopes.push_back(shown(scope.text()));
    if (!scopes.empty()) line += ", scopes: " + joined(scopes);
    return line;
}

std::vector<std::string> key_choices(std::vector<record> const& keys) {
    std::vector<std::string> lines;
    for (auto const& key : keys) {
        auto line = in_quotes(key.text("name"));
        if (!key.text("ownerEmail").empty()) line += " (" + shown(key.text("ownerEmail")) + ")";
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace recruiting::auth_api::agent::responder
