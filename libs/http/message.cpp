#include "http/message.hpp"

#include "core/text.hpp"

namespace recruiting::http {

std::string_view request::header(std::string_view name) const noexcept {
    for (auto const& [field, value] : headers)
        if (iequals(field, name)) return value;
    return {};
}

int request::header_count(std::string_view name) const noexcept {
    int count = 0;
    for (auto const& [field, value] : headers) count += iequals(field, name) ? 1 : 0;
    return count;
}

bool accepts(std::string_view accept, std::string_view media_type) noexcept {
    while (!accept.empty()) {
        auto const end = accept.find(',');
        auto item = accept.substr(0, end);
        accept.remove_prefix(end == std::string_view::npos ? accept.size() : end + 1);
        auto const parameters_at = item.find(';');
        if (!iequals(trim(item.substr(0, parameters_at)), media_type)) continue;
        if (parameters_at == std::string_view::npos) return true;
        auto const parameters = item.substr(parameters_at + 1);
        auto const quality_at = parameters.find("q=");
        if (quality_at == std::string_view::npos) return true;
        auto const quality = trim(parameters.substr(quality_at + 2, 5));
        return quality.find_first_of("123456789") != std::string_view::npos;
    }
    return false;
}

} // namespace recruiting::http
