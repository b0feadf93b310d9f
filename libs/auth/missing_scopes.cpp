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
    std::optional<api_error> error;
    for (auto const& name : scope_names(needed & ~(of_key ? who.scopes : who.effective))) {
        auto one = of_key ? missing_scope(name) : missing_role(name);
        if (!error) {
            error = std::move(one);
            continue;
        }
        error->details.push_back(std::move(one.details.front()));
        if (of_key) error->required_scope.append(" ").append(name);
    }
    return error;
}

} // namespace recruiting::auth
