#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "core/url.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// What a list leaves out of a job's record unless the request asks for it; GET /jobs/{id} has all of it.
struct job_parts {
    bool description{false};
    bool stages{false};
};

// record: the members of a job's JSON object that its own row gives, kept by trigger; apply_url is
// not among them. What a published job's address is made of, the organization's slug and its careers page, is one
// column: the sub-select runs once per statement, and each costs as much as the job's row. Its only row is the
// organization that row-level security shows.
#define RECRUITING_CAREERS_SITE                                                                                        \
    "CASE WHEN j.published AND j.status = 'open' AND j.deleted_at IS NULL "                                            \
    "THEN (SELECT o.slug || ' ' || coalesce(o.careers_page_url, '') FROM recruiting.organizations o) END"
#define RECRUITING_JOB_COLUMNS "j.id, j.record, " RECRUITING_CAREERS_SITE ", j.apply_url, coalesce(n.applications, 0)"
#define RECRUITING_JOB_DESCRIPTION ", j.description_html, j.description_text"
#define RECRUITING_JOB_STAGES ", j.stages"
#define RECRUITING_JOB_FROM " FROM recruiting.jobs j LEFT JOIN recruiting.job_counts n ON n.job_id = j.id "

// GET /jobs/{id}: the list's record, the description and the stages.
constexpr auto job_record_sql =
    "SELECT " RECRUITING_JOB_COLUMNS RECRUITING_JOB_DESCRIPTION RECRUITING_JOB_STAGES RECRUITING_JOB_FROM
    "WHERE j.id = ANY ($1::uuid[]) AND j.deleted_at IS NULL";

// Distinguishes a job whose candidates the caller may not read (a hiring manager not on its team) from one with none.
constexpr auto job_with_candidates_sql = "SELECT j.id, j.title FROM recruiting.jobs j "
                                         "WHERE j.id = $1::uuid AND j.deleted_at IS NULL AND " RECRUITING_SEES_JOB;

// What a sync returns: jobs whose own row changed, and jobs whose candidateCount did, with the later of the two
// numbers.
constexpr std::string_view job_feed = R"sql(
(SELECT j.changed_xid AS xid, j.id, j.deleted_at AS left_at FROM recruiting.jobs j
 WHERE j.organization_id = (SELECT recruiting.current_organization_id())
   AND (j.changed_xid, j.id) > ({after_xid}, {after_id}) AND j.changed_xid < {upper}
   AND (NOT {first} OR j.deleted_at IS NULL)
   AND NOT EXISTS (SELECT FROM recruiting.job_counts n
                   WHERE n.job_id = j.id AND n.changed_xid > j.changed_xid AND n.changed_xid < {upper})
 ORDER BY j.changed_xid, j.id LIMIT {limit})
UNION ALL
(SELECT n.changed_xid, n.job_id, j.deleted_at FROM recruiting.job_counts n
 JOIN recruiting.jobs j ON j.id = n.job_id AND j.changed_xid < n.changed_xid
 WHERE n.organization_id = (SELECT recruiting.current_organization_id())
   AND (n.changed_xid, n.job_id) > ({after_xid}, {after_id}) AND n.changed_xid < {upper}
   AND (NOT {first} OR j.deleted_at IS NULL)
 ORDER BY n.changed_xid, n.job_id LIMIT {limit})
)sql";

// A job's text is folded once, however many words are searched in it.
word_search const job_words = {
    .words = "SELECT cardinality(recruiting.search_words($1::text))",
    .has_all =
        "(SELECT coalesce(bool_and(strpos(k.text, w.word) > 0), true) "
        "FROM (SELECT recruiting.search_key(concat_ws(' ', j.title, j.department, j.requisition_id)) AS text OFFSET 0) "
        "AS k CROSS JOIN unnest((SELECT recruiting.search_words({q}::text))) AS w (word))",
};

// GET /jobs.
list_shape const job_list = {
    .route = "/jobs",
    .columns = RECRUITING_JOB_COLUMNS,
    .from = RECRUITING_JOB_FROM "WHERE j.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "j.deleted_at IS NULL",
    .id = "j.id",
    .sorts = {{{"createdAt", "j.created_at", true},
               {"updatedAt", "j.updated_at", true},
               {"title", "j.sort_title", false}}},
    .feed = job_feed,
    .record = "JOIN recruiting.jobs j ON j.id = f.id LEFT JOIN recruiting.job_counts n ON n.job_id = j.id",
    .gone = "j.deleted_at",
    .may_be_behind = true,
};
#undef RECRUITING_JOB_COLUMNS
#undef RECRUITING_JOB_FROM
#undef RECRUITING_CAREERS_SITE

std::optional<http::value_list> read_job_statuses(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, {"draft", "open", "on_hold", "closed", "archived"});
}

constexpr list_filter job_filters[] = {
    {"status", read_job_statuses, "j.status = ?", filter_index::ordered},
    {"externalId", read_external_id, "j.external_id = ?", filter_index::unique},
    {"department", read_text, "j.department = ?", filter_index::ordered},
    {"published", read_flag, "j.published = ?::boolean"},
};

// site: the organization's slug and careers page. Null while the job is not published.
std::optional<std::string> public_url(std::optional<std::string_view> const& site, std::string_view origin,
                                      uuid const& job) {
    if (!site) return std::nullopt;
    auto const slug_ends = site->find(' ');
    return job_page_url(site->substr(slug_ends + 1), origin, site->substr(0, slug_ends), job);
}

// origin: where browsers reach the installation.
void write_job(http::json_writer& json, pg::row row, job_parts const& included, std::string_view origin) {
    auto const id = row.id();
    json.raw(row.text())
        .field("publicUrl", public_url(row.optional_text(), origin, id))
        .field("applyUrl", row.optional_text())
        .field("candidateCount", row.integer());
    if (included.description) json.field("descriptionHtml", row.text()).field("descriptionText", row.text());
    if (included.stages) json.key("stages").raw(row.text());
}

constexpr job_parts whole_job{true, true};
// A description is 100,000 characters at most, as HTML and as text: what one answer holds stays bounded.
constexpr std::int64_t most_descriptions = 50;

job_parts read_include(bind_input& in) {
    auto const names = http::read_choices(in.query, "include", {"stages", "description"}).value_or(http::value_list());
    auto const has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    return {has("description"), has("stages")};
}

result<void> render_job(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    return render_record(results[0], answer, [&](http::json_writer& json, pg::row row) {
        write_job(json, row, whole_job, context.public_url);
    });
}

} // namespace

result<prepared_read> list_jobs(bind_input& in) {
    auto const included = read_include(in);
    list_builder list(in, job_list);
    if (included.description) list.add_columns("description", RECRUITING_JOB_DESCRIPTION);
    if (included.stages) list.add_columns("stages", RECRUITING_JOB_STAGES);
    if (included.description && list.given_limit().value_or(0) > most_descriptions)
        in.query.problem("limit", "out_of_range",
                         "Must be a number from 1 to " + std::to_string(most_descriptions) + " with descriptions.");
    list.filter(job_filters);
    list.search(job_words);
    return list.read([included](http::json_writer& json, list_record const& record) {
        json.open_object();
        write_job(json, record.row, included, record.context.public_url);
        json.close_object();
    });
}

result<prepared_read> get_job(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{{pg::read_record(job_record_sql, *id)}, render_job};
}

pg::statement job_with_candidates(uuid const& id) { return {job_with_candidates_sql, pg::params().id(id)}; }

#undef RECRUITING_JOB_DESCRIPTION
#undef RECRUITING_JOB_STAGES

} // namespace recruiting::auth_api
