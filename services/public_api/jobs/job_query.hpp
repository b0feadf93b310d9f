// The typed input of the job list, its cursors and the address of its next page. Pure.
#pragma once
#include "public_api/jobs/job_store.hpp"
#include "public_api/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

inline constexpr std::int64_t default_page = 50;
inline constexpr std::int64_t largest_page = 100;

struct job_query {
    job_filters filters;
    std::int64_t limit{default_page};
    std::optional<job_position> after;
};

/// slug: from the path, or nothing when the query has to name the organization. All problems are told at once; what
/// the list does not know is ignored, whatever it holds.
[[nodiscard]] result<job_query> parse_job_query(std::optional<std::string> slug, std::string_view query,
                                                http::token_signer const& cursors);

/// Opaque and signed: the position, and a fingerprint of the filters it belongs to.
[[nodiscard]] std::string make_cursor(job_position const& last, job_filters const& filters,
                                      http::token_signer const& cursors);

/// The same request with another cursor: what stands in the Link field.
[[nodiscard]] std::string next_page_address(std::string_view path, std::string_view query, std::string_view cursor);

} // namespace recruiting::public_api
