#include "crypto/tls_names.hpp"

#include "core/text.hpp"

namespace recruiting {

void certificate_names::add(std::string_view name, std::size_t certificate) {
    names_.emplace(to_lower(name), certificate);
}

std::optional<std::size_t> certificate_names::find(std::string_view name) const {
    auto wanted = to_lower(name);
    if (wanted.ends_with('.')) wanted.pop_back();
    if (auto const exact = names_.find(wanted); exact != names_.end()) return exact->second;
    auto const dot = wanted.find('.');
    if (dot == std::string::npos || dot == 0) return std::nullopt;
    auto const wild = names_.find("*" + wanted.substr(dot));
    if (wild == names_.end()) return std::nullopt;
    return wild->second;
}

} // namespace recruiting
