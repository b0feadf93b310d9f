#include "public_api/jobs/list_jobs.hpp"

#include "public_api/jobs/job_json.hpp"
#include "public_api/jobs/job_query.hpp"
#include "public_api/jobs/job_store.hpp"
#include "public_api/organizations/organization_store.hpp"
#include "public_api/organizations/slug.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

// Renders a page. Owns what it needs of the call, for the rows come later.
struct page_of_jobs {
    job_query wanted;
    std::string path;
    std::string query;
    http::token_signer const& cursors;

    result<http::response> operator()(std::vector<pg::rows> const& results) const {
        if (results.at(0).empty()) return make_error(error_code::not_found);
        auto const& jobs = results.at(1);
        auto const shown = static_cast<int>(std::min<std::int64_t>(jobs.size(), wanted.limit));
        bool const has_more = jobs.size() > shown;
        http::response answer;
        http::json_writer json(answer.body);
        json.open_object().key("data").open_array();
        for (int row = 0; row < shown; ++row) write_job(json, jobs, row);
        json.close_array().key("page").open_object().field("limit", wanted.limit).field("hasMore", has_more);
        json.field("nextCursor", has_more ? std::optional(cursor_after(jobs, shown - 1, answer)) : std::nullopt);
        json.close_object().close_object();
        return answer;
    }

    // Also puts the address of the next page into the Link field.
    [[nodiscard]] std::string cursor_after(pg::rows const& jobs, int last, http::response& answer) const {
        job_position const position{jobs.time(last, job_column::published_at), jobs.id(last, job_column::id)};
        auto cursor = make_cursor(position, wanted.filters, cursors);
        answer.add("Link", '<' + next_page_address(path, query, cursor) + R"(>; rel="next")");
        return cursor;
    }
};

result<plan> plan_list(call const& from, std::optional<std::string> slug) {
    auto wanted = parse_job_query(std::move(slug), from.request.query, from.cursors);
    if (!wanted) return wanted.error();
    auto const& organization = wanted->filters.organization_slug;
    if (!is_slug(organization)) return make_error(error_code::not_found);
    plan out;
    out.segment.push_back(find_organization(organization));
    out.segment.push_back(select_jobs(wanted->filters, wanted->after, wanted->limit + 1));
    out.render =
        page_of_jobs{std::move(*wanted), std::string(from.request.path), std::string(from.request.query), from.cursors};
    return out;
}

} // namespace

result<plan> list_organization_jobs(call const& from) { return plan_list(from, from.params[0]); }

result<plan> list_jobs(call const& from) { return plan_list(from, std::nullopt); }

} // namespace recruiting::public_api
