#include "public_api/catalogue/endpoints.hpp"

#include "http/json_writer.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"
#include "public_api/catalogue/job_query.hpp"
#include "public_api/http/answer.hpp"

namespace recruiting::public_api {

result<published_organization const*> named_organization(call const& from, std::string_view slug) {
    auto const* const found = from.published.find_organization(slug);
    if (found == nullptr) return make_error(error_code::not_found);
    return found;
}

result<plan> get_organization(call const& from) {
    auto const named = named_organization(from, from.params[0]);
    if (!named) return named.error();
    auto const* const found = *named;
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    json.field("name", found->name)
        .field("slug", found->slug)
        .field("websiteUrl", found->website_url)
        .field("logoUrl", found->logo_url)
        .field("timeZone", found->time_zone)
        .field("openJobCount", found->open_job_count(from.now));
    json.close_object().close_object();
    return answered(std::move(answer));
}

result<plan> get_job(call const& from) {
    auto const id = parse_id(from.params[0]);
    auto const found = id ? from.published.find_job(*id, from.now) : catalogue::entry{};
    if (found.job == nullptr) return make_error(error_code::not_found);
    http::response answer;
    answer.shared_body = found.job->body;
    answer.add("ETag", found.job->etag);
    return answered(std::move(answer));
}

namespace {

void write_page(std::string& body, job_page const& page, std::int64_t limit, std::optional<std::string> const& next) {
    std::size_t size = 1024;
    for (auto const* job : page.jobs) size += job->body->size();
    body.reserve(size);
    http::json_writer json(body);
    json.open_object().key("data").open_array();
    for (auto const* job : page.jobs) json.raw(job_in_body(*job->body));
    json.close_array().key("page").open_object().field("limit", limit).field("hasMore", page.has_more);
    json.field("nextCursor", next).close_object().close_object();
}

// Of the jobs' own tags: a page is a quarter of a megabyte, which nobody needs to hash.
std::string page_etag(job_page const& page, std::int64_t limit, std::optional<std::string> const& next) {
    std::string text = std::to_string(limit) + next.value_or("");
    for (auto const* job : page.jobs) text += job->etag;
    return etag_of(text);
}

result<plan> list(call const& from, std::optional<std::string> slug) {
    auto const wanted = parse_job_query(std::move(slug), from.request.query, from.cursors);
    if (!wanted) return wanted.error();
    auto const organization = named_organization(from, wanted->organization_slug);
    if (!organization) return organization.error();
    auto const page = find_jobs(**organization, *wanted, from.now);
    http::response answer;
    std::optional<std::string> next;
    if (page.has_more) {
        auto const& last = *page.jobs.back();
        next = make_cursor({last.published_at, last.id}, *wanted, from.cursors);
        answer.add("Link", '<' + next_page_address(from.request.path, from.request.query, *next) + R"(>; rel="next")");
    }
    answer.add("ETag", page_etag(page, wanted->limit, next));
    write_page(answer.body, page, wanted->limit, next);
    return answered(std::move(answer));
}

} // namespace

result<plan> list_organization_jobs(call const& from) { return list(from, from.params[0]); }

result<plan> list_jobs(call const& from) { return list(from, std::nullopt); }

} // namespace recruiting::public_api
