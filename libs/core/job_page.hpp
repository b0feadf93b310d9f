// Where people see a published job: publicUrl, the same from every program.
#pragma once
#include "core/ids.hpp"

#include <string>
#include <string_view>

namespace recruiting {

/// Below the organization's careers page; where it has none (""), on the page that the deployment at origin has for it.
[[nodiscard]] std::string job_page_url(std::string_view careers_page_url, std::string_view origin,
                                       std::string_view organization_slug, uuid const& job);

} // namespace recruiting
