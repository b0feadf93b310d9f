#include "public_api/feeds/json_feed.hpp"

#include "http/json_writer.hpp"

namespace recruiting::public_api {
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

} // namespace recruiting::public_api
