#include "public_api/catalogue/job_choices.hpp"

#include <set>
#include <string_view>

namespace recruiting::public_api {
namespace {

constexpr std::size_t most_choices = 200; // in one field of the form

std::string_view city_of(published_job const& job) noexcept {
    for (auto const* place : {&job.location_city, &job.location_name, &job.location_region})
        if (*place && !(*place)->empty()) return **place;
    return {};
}

void keep(std::set<std::string_view>& choices, std::string_view choice) {
    if (!choice.empty() && choices.size() < most_choices) choices.insert(choice);
}

} // namespace

job_choices choices_of(std::vector<std::shared_ptr<published_job const>> const& jobs) {
    std::set<std::string_view> departments;
    std::set<std::string_view> locations;
    for (auto const& job : jobs) {
        if (job->department) keep(departments, *job->department);
        keep(locations, city_of(*job));
    }
    return {{departments.begin(), departments.end()}, {locations.begin(), locations.end()}};
}

} // namespace recruiting::public_api
