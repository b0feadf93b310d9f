// A published job's wire form (design: Public API, publicJob). Pure.
#pragma once
#include "http/json_writer.hpp"
#include "public_api/catalogue/catalogue.hpp"

namespace recruiting::public_api {

void write_job(http::json_writer& json, published_organization const& organization, published_job const& job);

/// GET /jobs/{id}'s body; and in it the job alone, as lists show it.
[[nodiscard]] std::string job_body(published_organization const& organization, published_job const& job);
[[nodiscard]] std::string_view job_in_body(std::string_view body) noexcept;

} // namespace recruiting::public_api
