#include "crypto/tls_names.hpp"

#include "core/text.hpp"

namespace recruiting {

void certificate_names::add(std::string_view name, std::size_t certificate) {
    names_.emplace(to_lower(name), certificate);
}

std::size_t certificate_names::find(std::string_view server_name) const {
    auto name = to_lower(server_name);
    if (name.ends_with('.')) name.pop_back();
    if (auto const exact = names_.find(name); exact != names_.end() && !name.starts_with('*')) return exact->second;
    auto const dot = name.find('.');
    if (dot == std::string::npos || dot == 0) return 0;
    auto const wild = names_.find("*" + name.substr(dot));
    return wild == names_.end() ? 0 : wild->second;
}

} // namespace recruiting
