#include "auth/missing_scopes.hpp"

namespace recruiting::auth {

std::vector<std::string> scope_names(scope_set const& scopes) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i)
        if (scopes.test(i)) out.emplace_back(scope_catalogue[i].name);
    return out;
}

scope_set scopes_named(std::span<std::string const> names) noexcept {
    scope_set out;
    for (auto const& name : names)
        if (auto const index = scope_index(name)) out.set(*index);
    return out;
}

std::optional<api_error> refuse_missing(principal const& who, scope_set const& needed) {
    bool const of_key = (needed & ~who.scopes).any();
    auto const missing = needed & ~(of_key ? who.scopes : who.effective);
    if (missing.none()) return std::nullopt;
    auto error = make_error(of_key ? error_code::insufficient_scope : error_code::insufficient_role);
    for (auto const& name : scope_names(missing)) {
        auto const why = of_key ? "The key needs the scope " + name + "."
                                : "The role " + std::string(to_string(who.role)) + " does not reach " + name + ".";
        error.details.push_back(
            {"credential", of_key ? "scope" : "role", of_key ? "missing_scope" : "missing_role", why});
        if (of_key) error.required_scope.append(error.required_scope.empty() ? "" : " ").append(name);
    }
    return error;
}

} // namespace recruiting::auth
