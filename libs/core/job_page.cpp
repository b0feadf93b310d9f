#include "core/job_page.hpp"

namespace recruiting {

std::string job_page_url(std::string_view careers_page_url, std::string_view origin, std::string_view organization_slug,
                         uuid const& job) {
    while (careers_page_url.ends_with('/')) careers_page_url.remove_suffix(1);
    std::string url(careers_page_url);
    if (url.empty()) url.append(origin).append("/careers/").append(organization_slug);
    url += "/jobs/";
    append_id(url, job);
    return url;
}

} // namespace recruiting
