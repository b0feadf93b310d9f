#include "public_api/catalogue/endpoints.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"
#include "public_api/http/answer.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace recruiting::public_api {

result<plan> get_organization(action_input const& input) {
    auto const* const found = input.published.find_organization(input.params[0]);
    if (found == nullptr) return make_error(error_code::not_found);
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    json.field("name", found->name).field("slug", found->slug).field("websiteUrl", found->website_url);
    json.field("logoUrl", found->logo_url).field("accentColor", found->accent_color);
    json.field("shareImageUrl", found->share_image_url).field("introductionHtml", found->introduction_html);
    json.field("timeZone", found->time_zone);
    json.field("openJobCount", found->open_job_count(input.now));
    json.close_object().close_object();
    return answer;
}

namespace {

body_cache::shared_text body_of(action_input const& input, published_organization const& of, packed_job const& job) {
    return input.job_bodies.get(job.etag, [&] { return job_body(of, of.whole(job)); });
}

} // namespace

result<plan> get_job(action_input const& input) {
    auto const found = input.published.find_job(input.params[0], input.now);
    if (found.job == nullptr) return make_error(error_code::not_found);
    http::response answer;
    answer.shared_body = body_of(input, *found.organization, *found.job);
    answer.add("ETag", found.job->etag);
    return answer;
}

namespace {

void write_page(std::string& body, std::vector<body_cache::shared_text> const& jobs, job_page const& page,
                std::int64_t limit, std::optional<std::string> const& next) {
    std::size_t size = 1024;
    for (auto const& job : jobs) size += job->size();
    body.reserve(size);
    http::json_writer json(body);
    json.open_object().key("data").open_array();
    for (auto const& job : jobs) json.raw(job_in_body(*job));
    json.close_array().key("page").open_object().field("limit", limit).field("hasMore", page.has_more);
    json.field("nextCursor", next).close_object().close_object();
}

// Made of the jobs' own tags, so that the page, a quarter of a megabyte, need not be hashed.
std::string page_etag(job_page const& page, std::int64_t limit, std::optional<std::string> const& next) {
    std::string text = std::to_string(limit) + next.value_or("");
    for (auto const* job : page.jobs) text += job->etag;
    return etag_of(text);
}

result<plan> list(action_input const& input, std::optional<std::string> slug) {
    auto const wanted = parse_job_query(std::move(slug), input.request.query, input.cursors);
    if (!wanted) return wanted.error();
    auto const* const organization = input.published.find_organization(wanted->organization_slug);
    if (organization == nullptr) return make_error(error_code::not_found);
    auto const page = find_jobs(*organization, *wanted, input.now);
    http::response answer;
    std::optional<std::string> next;
    if (page.has_more) {
        auto const& last = *page.jobs.back();
        next = make_cursor({last.published_at, last.id}, *wanted, input.cursors);
        answer.add("Link",
                   '<' + next_page_address(input.request.path, input.request.query, *next) + R"(>; rel="next")");
    }
    answer.add("ETag", page_etag(page, wanted->limit, next));
    std::vector<body_cache::shared_text> jobs;
    for (auto const* job : page.jobs) jobs.push_back(body_of(input, *organization, *job));
    write_page(answer.body, jobs, page, wanted->limit, next);
    return answer;
}

} // namespace

result<plan> list_organization_jobs(action_input const& input) { return list(input, input.params[0]); }

result<plan> list_jobs(action_input const& input) { return list(input, std::nullopt); }

namespace {

constexpr std::string_view list_name = "public_jobs"; // no cursor of another list is one of this

constexpr std::array<std::string_view, 8> known = {"organization",   "department", "location", "workplaceType",
                                                   "employmentType", "q",          "limit",    "cursor"};

std::optional<std::string> joined(std::vector<std::string> const& values) {
    std::optional<std::string> out;
    for (auto const& value : values) out = out ? *out + ',' + value : value;
    return out;
}

std::string fingerprint_of(job_query const& query) {
    auto const& filters = query.filters;
    std::string text = query.organization_slug;
    for (auto const& filter : {filters.department, filters.location, joined(filters.workplace_types),
                               joined(filters.employment_types), filters.q})
        text += filter ? '\x01' + std::to_string(filter->size()) + ':' + *filter : std::string(1, '\x02');
    auto const hash = sha256(text);
    return std::string(bytes_of(hash).substr(0, 16));
}

void read_cursor(http::query_reader& query, job_query& of, http::token_signer const& cursors) {
    auto const cursor = query.text("cursor", 2000);
    if (!cursor) return;
    auto const parts = cursors.verify(*cursor);
    bool const is_ours = parts && parts->size() == 4 && (*parts)[0] == list_name;
    auto const time = is_ours ? parse_time((*parts)[2]) : std::nullopt;
    auto const id = is_ours ? parse_id((*parts)[3]) : std::nullopt;
    if (!time || !id) return query.problem("cursor", "bad_cursor", "This cursor was not issued by this list.");
    if ((*parts)[1] != fingerprint_of(of))
        return query.problem("cursor", "cursor_mismatch",
                             "This cursor was issued for another organization or filters.");
    of.after = job_position{*time, *id};
}

void read_filters(http::query_reader& query, job_filters& filters) {
    filters.department = query.text("department", longest_filter);
    filters.location = query.text("location", longest_filter);
    filters.workplace_types = http::read_choices(query, "workplaceType", workplace_types).value_or(http::value_list());
    filters.employment_types =
        http::read_choices(query, "employmentType", employment_types).value_or(http::value_list());
    filters.q = query.text("q", longest_filter);
}

// What a tracker appended to the address must not break a careers page: only problems of our own parameters count, and
// that there are more than are read.
std::vector<error_detail> problems_of_known(http::query_reader& query) {
    auto problems = query.take_problems();
    std::erase_if(problems, [](error_detail const& p) {
        return p.reason != "too_many" && std::find(known.begin(), known.end(), p.field) == known.end();
    });
    return problems;
}

} // namespace

result<job_query> parse_job_query(std::optional<std::string> slug, std::string_view raw_query,
                                  http::token_signer const& cursors) {
    http::query_reader query(raw_query);
    job_query wanted;
    if (!slug) {
        slug = query.text("organization", longest_filter);
        if (!query.has("organization")) query.problem("organization", "missing", "Name an organization by its slug.");
    }
    wanted.organization_slug = slug.value_or("");
    read_filters(query, wanted.filters);
    wanted.limit = query.integer("limit", 1, largest_page).value_or(default_page);
    read_cursor(query, wanted, cursors);
    auto problems = problems_of_known(query);
    if (!problems.empty()) return invalid_request(std::move(problems));
    return wanted;
}

std::string make_cursor(job_position const& last, job_query const& of, http::token_signer const& cursors) {
    return cursors.sign(
        {std::string(list_name), fingerprint_of(of), format_time_micros(last.published_at), to_string(last.id)});
}

job_page find_jobs(published_organization const& organization, job_query const& wanted, timestamp now) {
    auto const& jobs = organization.jobs;
    auto at = jobs.begin();
    if (wanted.after)
        at = std::partition_point(at, jobs.end(), [&after = *wanted.after](job_pointer const& job) {
            return std::tie(job->published_at, job->id) >= std::tie(after.published_at, after.id);
        });
    auto const criteria = organization.index.compile(wanted.filters);
    job_page page;
    for (; at != jobs.end(); ++at) {
        auto const position = static_cast<std::size_t>(at - jobs.begin());
        if (!organization.index.fits(criteria, position) || !(*at)->is_open(now)) continue;
        page.has_more = static_cast<std::int64_t>(page.jobs.size()) == wanted.limit;
        if (page.has_more) break;
        page.jobs.push_back(at->get());
    }
    return page;
}

std::string next_page_address(std::string_view path, std::string_view query, std::string_view cursor) {
    std::string address(path);
    char separator = '?';
    auto const add = [&](std::string_view name, std::string_view value) {
        address += separator;
        address += percent_encode(name) + '=' + percent_encode(value);
        separator = '&';
    };
    for (auto const pair : split(query, '&')) {
        auto const equals = pair.find('=');
        auto const name = percent_decode(pair.substr(0, equals), true);
        auto const value =
            percent_decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
        if (name && value && !name->empty() && *name != "cursor") add(*name, *value);
    }
    add("cursor", cursor);
    return address;
}

} // namespace recruiting::public_api
