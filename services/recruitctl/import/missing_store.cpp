#include "recruitctl/import/missing_store.hpp"

namespace recruiting::recruitctl {
namespace {

// What was imported from a board earlier, is open here and is not in its newest document. Jobs from elsewhere have
// other external ids and are never among these.
constexpr char const* missing_jobs_of_board = R"(
SELECT external_id, title FROM recruiting.jobs
WHERE organization_id = $1 AND starts_with(external_id, $2) AND NOT external_id = ANY ($3::text[])
  AND status = 'open' AND deleted_at IS NULL
ORDER BY external_id)";
struct missing_columns {
    enum : int { external_id, title };
};

// An operator has asked for it (--close-missing). One that someone put on hold meanwhile stays as it is.
constexpr char const* close_open_jobs = R"(
UPDATE recruiting.jobs SET status = 'closed', published = false, closed_at = now()
WHERE organization_id = $1 AND external_id = ANY ($2::text[]) AND status = 'open' AND deleted_at IS NULL)";

} // namespace

std::vector<missing_job> find_missing_jobs(pg::client& on, uuid organization, board source,
                                           std::set<std::string> const& seen) {
    std::vector<std::string> const present(seen.begin(), seen.end());
    auto const rows =
        on.run(missing_jobs_of_board,
               pg::params().id(organization).text(std::string(to_string(source)) + ":").text_array(present));
    std::vector<missing_job> missing;
    for (int row = 0; row < rows.size(); ++row)
        missing.push_back({std::string(rows.text(row, missing_columns::external_id)),
                           std::string(rows.text(row, missing_columns::title))});
    return missing;
}

void close_jobs(pg::client& on, uuid organization, std::vector<missing_job> const& jobs) {
    std::vector<std::string> ids;
    for (auto const& job : jobs) ids.push_back(job.external_id);
    on.run(close_open_jobs, pg::params().id(organization).text_array(ids));
}

} // namespace recruiting::recruitctl
