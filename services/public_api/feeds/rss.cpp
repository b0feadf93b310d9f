#include "public_api/feeds/rss.hpp"

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

} // namespace recruiting::public_api
