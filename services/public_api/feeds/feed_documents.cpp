#include "public_api/feeds/feed_documents.hpp"

#include "http/json_writer.hpp"
#include "public_api/feeds/xml_writer.hpp"

namespace recruiting::public_api {
namespace {

void write_link(xml_writer& xml, std::string_view relation, std::string_view address) {
    xml.empty("atom:link", {{"href", address}, {"rel", relation}, {"type", "application/rss+xml"}});
}

void write_item(xml_writer& xml, published_job const& job) {
    xml.open("item").element("title", job.title).element("link", job.public_url);
    xml.open("guid", {{"isPermaLink", "false"}}).text(to_string(job.id)).close();
    xml.element("pubDate", rfc822_time(job.published_at));
    xml.element("category", job.department.value_or("")).element("category", place_of(job));
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
    write_link(xml, "self", feed_address(of, public_url, "jobs.rss", page.number));
    if (page.number > 1 && page.number <= page.last + 1)
        write_link(xml, "previous", feed_address(of, public_url, "jobs.rss", page.number - 1));
    if (page.number < page.last) write_link(xml, "next", feed_address(of, public_url, "jobs.rss", page.number + 1));
    for (auto const& job : page.jobs) write_item(xml, *job);
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
    for (auto const& tag : {job.department.value_or(""), place_of(job), job.workplace_type.value_or(""),
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
    for (auto const& job : page.jobs) write_item(json, *job);
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
        write_address(xml, job->public_url, std::max(job->updated_at, job->published_at));
    xml.close();
    return out;
}

} // namespace recruiting::public_api
