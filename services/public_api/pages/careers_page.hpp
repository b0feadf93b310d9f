// GET /careers/{slug}: an organization's open jobs, searchable without JavaScript; and the page of each job.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/markup_writer.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/page.hpp"
#include "words/format.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

inline constexpr std::size_t careers_page_size = 25;

/// What the page's form asks for.
struct careers_query {
    job_filters filters;
    std::size_t page{1};

    [[nodiscard]] bool is_filtered() const noexcept;
    /// "?q=robot&page=2", or "": the form's address with another page.
    [[nodiscard]] std::string query_of_page(std::size_t number) const;
};

/// Never refuses: a field left empty, unknown or unreadable filters nothing.
[[nodiscard]] careers_query parse_careers_query(std::string_view query);

struct careers_result {
    std::vector<packed_job const*> jobs; // of the page
    choice_counts counts;
    std::size_t last_page{1};
};
/// A page beyond the last is the last.
[[nodiscard]] careers_result find_careers_jobs(published_organization const& of, careers_query& wanted, timestamp now);

[[nodiscard]] result<plan> get_careers_page(action_input const& input);

// What the list and a job's own page both show.
/// "Berlin HQ", or "Berlin, Germany": the name that the organization gave the place, or its city, region and country.
[[nodiscard]] std::string place_in_words(published_job const& job, reader const& to);
/// "€60,000 – €80,000 a year"; "" where it is not published.
[[nodiscard]] std::string salary_in_words(published_job const& job, reader const& to);
/// The metadata that both share: title, whose site it is, the picture of link previews, and the feeds.
[[nodiscard]] page_head head_of_page(published_organization const& of, std::string_view public_url,
                                     std::string_view title);

/// GET /careers/{slug}/jobs/{jobId}: one job, with its facts, its description, the choice of an interview's time and
/// the beginning of the organization's introduction.
/// Another organization's job is not found here.
[[nodiscard]] result<plan> get_job_page(action_input const& input);

} // namespace recruiting::public_api
