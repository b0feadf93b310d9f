#include "public_api/feeds/sitemap.hpp"

#include "public_api/feeds/xml_writer.hpp"

namespace recruiting::public_api {
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
