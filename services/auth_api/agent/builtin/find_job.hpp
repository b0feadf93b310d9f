// Which job a prompt means: by its id, by its title, or as the one that was talked about.
#pragma once
#include "auth_api/agent/builtin/intents.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api::agent::responder {

struct job_reference {
    std::string id;
    std::string title;
    [[nodiscard]] bool empty() const noexcept { return id.empty() && title.empty(); }
};

/// strict: where the words around it say that a job is named; loose: else any words that mean nothing else.
enum class naming { strict, loose };
[[nodiscard]] job_reference job_named_in(question const& about, naming how);

/// The job's id; says so when there is none of that title, and asks which when there are several.
[[nodiscard]] std::optional<std::string> find_job(desk& work, job_reference const& named);

/// Title, department, place, status: one line of a list of jobs.
[[nodiscard]] std::string job_line(record const& job);
[[nodiscard]] std::string job_place(record const& job);

} // namespace recruiting::auth_api::agent::responder
