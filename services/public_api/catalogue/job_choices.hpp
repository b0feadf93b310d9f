// What there is to choose among an organization's jobs, for the careers page's form: made once a snapshot. Pure.
#pragma once
#include "public_api/catalogue/published_job.hpp"

#include <memory>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct job_choices {
    std::vector<std::string> departments; // sorted, at most 200
    std::vector<std::string> locations;   // cities, or the next best
};

[[nodiscard]] job_choices choices_of(std::vector<std::shared_ptr<published_job const>> const& jobs);

} // namespace recruiting::public_api
