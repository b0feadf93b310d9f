#include "http/handler.hpp"
#include "http/json_writer.hpp"
#include "public_api/feeds/feeds.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/http/markup_writer.hpp"

namespace recruiting::public_api {
namespace {

void write_item(xml_writer& xml, published_job const& job) {
    xml.open("item").element("title", job.title).element("link", job.public_url);
    xml.open("guid", {{"isPermaLink", "false"}}).text(to_string(job.id)).close();
    xml.element("pubDate", rfc822_time(job.published_at));
    xml.element("category", job.department.value_or("")).element("category", location_of(job));
    xml.cdata("description", job.description_html).close();
}

} // namespace

std::string rss(published_organization const& of, feed_page const& page, std::string_view public_url) {
    std::string out;
    xml_writer xml(out);
    xml.declaration();
    xml.open("rss", {{"version", "2.0"}, {"xmlns:atom", "http://www.w3.org/2005/Atom"}}).open("channel");
    auto const title = "Open jobs at " + of.name;
    auto const home = careers_address(of, public_url);
    xml.element("title", title).element("link", home).element("description", title + ", newest first");
    if (!page.jobs.empty()) xml.element("lastBuildDate", rfc822_time(newest_change(page.jobs)));
    xml.element("ttl", "60");
    if (of.logo_url)
        xml.open("image").element("url", *of.logo_url).element("title", title).element("link", home).close();
    auto const link = [&](std::string_view relation, std::size_t number) {
        auto const address = feed_address(of, public_url, "jobs.rss", number);
        xml.empty("atom:link", {{"href", address}, {"rel", relation}, {"type", "application/rss+xml"}});
    };
    link("self", page.number);
    if (page.number > 1 && page.number <= page.last + 1) link("previous", page.number - 1);
    if (page.number < page.last) link("next", page.number + 1);
    for (auto const& job : page.jobs) write_item(xml, of.whole(*job));
    xml.close().close();
    return out;
}

namespace {

void write_item(http::json_writer& json, published_job const& job) {
    json.open_object().field("id", job.id).field("url", job.public_url).field("title", job.title);
    // An item must have content of one form; a job without a description is its title.
    if (job.description_html.empty()) json.field("content_text", job.title);
    else json.field("content_html", job.description_html).field("content_text", job.description_text);
    json.field("date_published", job.published_at).field("date_modified", job.updated_at);
    json.key("tags").open_array();
    for (auto const& tag : {job.department.value_or(""), location_of(job), job.workplace_type.value_or(""),
                            job.employment_type.value_or("")})
        if (!tag.empty()) json.value(tag);
    json.close_array().close_object();
}

} // namespace

std::string json_feed(published_organization const& of, feed_page const& page, std::string_view public_url) {
    std::string out;
    http::json_writer json(out);
    json.open_object().field("version", "https://jsonfeed.org/version/1.1");
    json.field("title", "Open jobs at " + of.name).field("home_page_url", careers_address(of, public_url));
    json.field("feed_url", feed_address(of, public_url, "jobs.json"));
    if (page.number < page.last) json.field("next_url", feed_address(of, public_url, "jobs.json", page.number + 1));
    if (of.logo_url) json.field("icon", *of.logo_url);
    json.key("authors").open_array().open_object().field("name", of.name);
    if (of.website_url) json.field("url", *of.website_url);
    json.close_object().close_array().key("items").open_array();
    for (auto const& job : page.jobs) write_item(json, of.whole(*job));
    json.close_array().close_object();
    return out;
}

namespace {

constexpr std::string_view name_space = "http://www.sitemaps.org/schemas/sitemap/0.9";

void write_address(xml_writer& xml, std::string_view address, timestamp changed) {
    xml.open("url").element("loc", address);
    if (changed != timestamp{}) xml.element("lastmod", format_time(changed));
    xml.close();
}

std::string index(published_organization const& of, feed_setting const& at, std::size_t pages) {
    std::string out;
    xml_writer xml(out);
    xml.declaration().open("sitemapindex", {{"xmlns", name_space}});
    auto const first = feed_address(of, at.public_url, "sitemap.xml");
    for (std::size_t page = 1; page <= pages; ++page)
        xml.open("sitemap").element("loc", first + "?page=" + std::to_string(page)).close();
    xml.close();
    return out;
}

} // namespace

std::string sitemap(published_organization const& of, feed_setting const& at, std::optional<std::size_t> page,
                    std::size_t most) {
    auto const jobs_a_file = most - 1; // and the careers page
    auto const shown = page_of(of, at.now, page.value_or(1), jobs_a_file);
    if (!page && shown.last > 1) return index(of, at, shown.last);
    std::string out;
    xml_writer xml(out);
    xml.declaration().open("urlset", {{"xmlns", name_space}});
    if (shown.number == 1) write_address(xml, careers_address(of, at.public_url), newest_change(shown.jobs));
    for (auto const& job : shown.jobs)
        write_address(xml, of.public_url(job->id), std::max(job->updated_at, job->published_at));
    xml.close();
    return out;
}

namespace {

std::string_view remote_type_of(std::string_view workplace_type) noexcept {
    if (workplace_type == "remote") return "Fully remote";
    return workplace_type == "hybrid" ? "Hybrid remote" : std::string_view();
}

// "EUR 60000 - 80000 per year"
std::string salary_of(published_job const& job) {
    if (!job.salary_currency || !job.salary_period || (!job.salary_min && !job.salary_max)) return {};
    auto text = *job.salary_currency + ' ' + (job.salary_min ? *job.salary_min : *job.salary_max);
    if (job.salary_min && job.salary_max && job.salary_min != job.salary_max) text += " - " + *job.salary_max;
    return text + " per " + *job.salary_period;
}

} // namespace

std::string job_board_beginning(published_organization const& of, std::vector<job_pointer> const& jobs,
                                std::string_view public_url) {
    std::string out;
    xml_writer xml(out);
    xml.declaration();
    out += "<source>\n";
    xml.cdata("publisher", of.name).cdata("publisherurl", careers_address(of, public_url));
    if (!jobs.empty()) xml.element("lastBuildDate", rfc822_time(newest_change(jobs)));
    out += '\n';
    return out;
}

void append_job_board_job(std::string& out, published_organization const& of, published_job const& job) {
    xml_writer xml(out);
    xml.open("job").cdata("title", job.title).cdata("date", rfc822_time(job.published_at));
    xml.cdata("referencenumber", to_string(job.id)).cdata("url", job.public_url).cdata("company", of.name);
    xml.cdata("sourcename", of.name);
    xml.cdata("city", job.location_city ? *job.location_city : job.location_name.value_or(""));
    xml.cdata("state", job.location_region.value_or("")).cdata("country", country_of(of, job));
    xml.cdata("description", job.description_html.empty() ? job.title : job.description_html);
    xml.cdata("salary", salary_of(job)).cdata("jobtype", names_of_employment(job).job_board);
    xml.cdata("category", job.department.value_or(""))
        .cdata("remotetype", remote_type_of(job.workplace_type.value_or("")));
    if (job.closes_at) xml.cdata("expirationdate", rfc822_time(*job.closes_at));
    xml.close();
    out += '\n';
}

namespace {

constexpr std::size_t piece = std::size_t{64} << 10U; // bytes, or one job more

// Holds the jobs that are not written yet, for the snapshot may be replaced meanwhile, and what they show of their
// organization.
class job_board_source final : public http::body_source {
public:
    job_board_source(std::string beginning, published_organization const& of, std::vector<job_pointer> jobs)
        : beginning_(std::move(beginning)), jobs_(std::move(jobs)) {
        organization_.name = of.name;
        organization_.slug = of.slug;
        organization_.careers_page_url = of.careers_page_url;
        organization_.origin = of.origin;
        organization_.country_code = of.country_code;
    }

    task<bool> next(std::string& out) override {
        out += std::exchange(beginning_, {});
        auto const begun = out.size();
        for (; at_ < jobs_.size() && out.size() - begun < piece; ++at_)
            append_job_board_job(out, organization_, organization_.whole(*jobs_[at_]));
        bool const is_last = at_ == jobs_.size();
        if (is_last && !std::exchange(ended_, true)) out += job_board_end;
        co_return !is_last;
    }

private:
    std::string beginning_;
    published_organization organization_;
    std::vector<job_pointer> jobs_;
    std::size_t at_{0};
    bool ended_{false};
};

// text: what the file shows of the organization.
std::string etag_of_jobs(std::string text, std::vector<job_pointer> const& jobs) {
    for (auto const& job : jobs) text += job->etag;
    return etag_of(text);
}

} // namespace

http::response job_board_answer(published_organization const& of, feed_setting const& at) {
    auto jobs = page_of(of, at.now, 1, of.jobs.size() + 1).jobs;
    auto beginning = job_board_beginning(of, jobs, at.public_url);
    http::response answer;
    answer.content_type = "application/xml; charset=utf-8";
    answer.add("ETag", etag_of_jobs(beginning + of.country_code.value_or(""), jobs));
    answer.stream = std::make_shared<job_board_source>(std::move(beginning), of, std::move(jobs));
    return answer;
}

namespace {

constexpr std::size_t feed_size = 100; // jobs a page of RSS and JSON Feed

http::response document(std::string_view content_type, std::string body) {
    http::response answer;
    answer.content_type = content_type;
    answer.body = std::move(body);
    return answer;
}

using feed_writer = std::string(published_organization const&, feed_page const&, std::string_view public_url);

result<plan> answer_feed(action_input const& input, std::string_view content_type, feed_writer& write) {
    auto const* const found = input.published.find_organization(input.params[0]);
    if (found == nullptr) return make_error(error_code::not_found);
    auto const page = page_of(*found, input.now, requested_page(input.request.query), feed_size);
    return document(content_type, write(*found, page, input.public_url));
}

} // namespace

result<plan> get_job_posting(action_input const& input) {
    auto const found = input.published.find_job(input.params[0], input.now);
    if (found.job == nullptr) return make_error(error_code::not_found);
    return document("application/ld+json", job_posting(*found.organization, found.organization->whole(*found.job)));
}

result<plan> get_rss(action_input const& input) {
    return answer_feed(input, "application/rss+xml; charset=utf-8", rss);
}

result<plan> get_json_feed(action_input const& input) { return answer_feed(input, "application/feed+json", json_feed); }

result<plan> get_job_board_xml(action_input const& input) {
    auto const* const found = input.published.find_organization(input.params[0]);
    if (found == nullptr) return make_error(error_code::not_found);
    return job_board_answer(*found, {input.public_url, input.now});
}

result<plan> get_sitemap(action_input const& input) {
    auto const* const found = input.published.find_organization(input.params[0]);
    if (found == nullptr) return make_error(error_code::not_found);
    bool const names_page = input.request.query.find("page=") != std::string_view::npos;
    auto const page = names_page ? std::optional(requested_page(input.request.query)) : std::nullopt;
    return document("application/xml; charset=utf-8", sitemap(*found, {input.public_url, input.now}, page));
}

} // namespace recruiting::public_api
