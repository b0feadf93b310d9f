#include "public_api/pages/page_head.hpp"

#include "public_api/pages/html_writer.hpp"

namespace recruiting::public_api {
namespace {

void write_feed(html_writer& html, std::string_view type, std::string_view address) {
    if (!address.empty()) html.empty("link", {{"rel", "alternate"}, {"type", type}, {"href", address}});
}

void write_property(html_writer& html, std::string_view name, std::string_view value) {
    if (!value.empty()) html.empty("meta", {{"property", name}, {"content", value}});
}

} // namespace

std::string written(page_head const& head) {
    std::string out;
    html_writer html(out);
    html.empty("meta", {{"name", "description"}, {"content", head.description}});
    html.empty("link", {{"rel", "canonical"}, {"href", head.canonical}});
    if (!head.is_found) html.empty("meta", {{"name", "robots"}, {"content", "noindex, follow"}});
    write_feed(html, "application/rss+xml", head.rss);
    write_feed(html, "application/feed+json", head.json_feed);
    write_property(html, "og:type", "website");
    write_property(html, "og:title", head.title);
    write_property(html, "og:description", head.description);
    write_property(html, "og:url", head.canonical);
    write_property(html, "og:site_name", head.site);
    write_property(html, "og:image", head.image);
    // A data block: it is not run, so the Content-Security-Policy need not allow it.
    html.open("script", {{"type", "application/ld+json"}}).markup(head.json_ld).close();
    return out;
}

} // namespace recruiting::public_api
