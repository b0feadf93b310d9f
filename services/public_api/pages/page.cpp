#include "public_api/pages/page.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "html/accent.hpp"
#include "http/problem.hpp"
#include "public_api/http/markup_writer.hpp"
#include "public_api/pages/assets.hpp"
#include "words/words.hpp"

namespace recruiting::public_api {
namespace {

void write_feed(html_writer& html, std::string_view type, std::string_view address) {
    if (!address.empty()) html.empty("link", {{"rel", "alternate"}, {"type", type}, {"href", address}});
}

void write_property(html_writer& html, std::string_view name, std::string_view value) {
    if (!value.empty()) html.empty("meta", {{"property", name}, {"content", value}});
}

void write_metadata(html_writer& html, page_head const& head) {
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
}

constexpr std::string_view host_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]";

// "https://cdn.example" of a logo's address, or "" where that could not stand in a policy.
std::string_view origin_of(std::string_view url) {
    auto const scheme = url.starts_with("https://") ? 8U : url.starts_with("http://") ? 7U : 0U;
    if (scheme == 0) return {};
    auto const origin = url.substr(0, url.find_first_of("/?#", scheme));
    bool const plain = origin.find_first_not_of(host_characters, scheme) == std::string_view::npos;
    return plain && origin.size() > scheme ? origin : std::string_view();
}

// The organization's accent, for look/page.css; "" where it has none.
std::string accent_style(page const& shown) {
    auto const shades = shown.accent_color ? html::shades_of(*shown.accent_color) : std::nullopt;
    if (!shades) return {};
    auto const& [light, dark] = *shades;
    return ":root{--light-accent:" + light.color + ";--on-light-accent:" + light.text + ";--dark-accent:" + dark.color +
           ";--on-dark-accent:" + dark.text + "}";
}

// No script or style of the page's own text runs but the accent's, by its hash; nothing is loaded from elsewhere but
// the logo.
std::string policy(page const& shown, std::string_view accent) {
    std::string out = "default-src 'none'; style-src 'self'";
    if (!accent.empty()) out.append(" 'sha256-").append(to_base64url(bytes_of(sha256(accent)))).append("='");
    out += "; img-src 'self' data:";
    auto const logo = shown.logo_url ? origin_of(*shown.logo_url) : std::string_view();
    if (!logo.empty()) out.append(" ").append(logo);
    if (!shown.script.empty()) out += "; script-src 'self'; connect-src 'self'";
    return out + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
}

void write_head(html_writer& html, page const& shown, std::string_view accent) {
    html.open("head")
        .empty("meta", {{"charset", "utf-8"}})
        .element("title", shown.title)
        .empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1, viewport-fit=cover"}})
        .empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    if (shown.is_private) html.empty("meta", {{"name", "robots"}, {"content", "noindex, nofollow"}});
    html.empty("link", {{"rel", "stylesheet"}, {"href", style_address()}});
    if (!accent.empty()) html.open("style").markup(accent).close();
    // No icon: browsers would ask the API for one.
    html.empty("link", {{"rel", "icon"}, {"href", "data:,"}});
    if (shown.head) write_metadata(html, *shown.head);
    if (!shown.script.empty()) html.open("script", {{"src", shown.script}, {"defer", ""}}).close();
    html.close();
}

void write_banner(html_writer& html, page const& shown) {
    if (shown.organization.empty()) return;
    html.open("header", {{"class", "top"}}).open("div", {{"class", "page"}});
    // The name beside it says what the logo shows.
    if (shown.logo_url && !origin_of(*shown.logo_url).empty())
        html.empty("img", {{"src", *shown.logo_url}, {"alt", ""}, {"height", "40"}});
    if (shown.home.empty()) html.element("span", shown.organization);
    else html.element("a", {{"href", shown.home}}, shown.organization);
    html.close().close();
}

} // namespace

void show_owner(page& shown, published_organization const& of) {
    shown.organization = of.name;
    shown.home = "/careers/" + of.slug;
    shown.logo_url = of.logo_url;
    shown.accent_color = of.accent_color;
}

http::response page_answer(page const& shown, unsigned status) {
    http::response answer;
    answer.status = status;
    answer.content_type = "text/html; charset=utf-8";
    auto const accent = accent_style(shown);
    answer.add("Content-Security-Policy", policy(shown, accent));
    answer.add("Referrer-Policy", shown.is_private ? "no-referrer" : "strict-origin-when-cross-origin");
    answer.add("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    answer.add("Cross-Origin-Opener-Policy", "same-origin");
    answer.add("Vary", "Accept-Language");
    if (shown.is_private) {
        answer.add("Cache-Control", "no-store");
        answer.add("X-Robots-Tag", "noindex, nofollow");
    }
    answer.body = "<!DOCTYPE html>";
    html_writer html(answer.body);
    html.open("html", {{"lang", shown.language}});
    write_head(html, shown, accent);
    html.open("body", {{"class", "root"}})
        .element("a", {{"class", "skip"}, {"href", "#main"}}, words_for(shown.language).skip);
    write_banner(html, shown);
    html.open("main", {{"id", "main"}, {"class", "page"}, {"tabindex", "-1"}});
    html.open("div", {{"class", "stack"}}).markup(shown.main).close().close();
    html.close().close();
    return answer;
}

namespace {

struct sentence {
    std::string_view title;
    std::string_view text;
};

sentence sentence_for(unsigned status, words const& in) {
    if (status == 404) return {in.not_found, in.not_found_text};
    if (status == 429 || status >= 500) return {in.unavailable, in.unavailable_text};
    return {in.refused, in.refused_text};
}

} // namespace

http::response refusal(api_error const& error, http::request const& req, std::string_view request_id,
                       published_organization const* of) {
    auto const accept = req.header("Accept");
    auto envelope = http::problem_response(error, request_id, accept);
    if (req.path.starts_with("/api/") || !http::accepts(accept, "text/html")) return envelope;

    auto const& in = requested_words(req.header("Accept-Language"));
    auto const [title, text] = sentence_for(envelope.status, in);
    page shown;
    shown.language = in.language;
    shown.title = title;
    shown.is_private = true; // nothing of an address that may hold a link's secret
    html_writer html(shown.main);
    html.element("h1", title).element("p", text);
    if (of != nullptr) {
        show_owner(shown, *of);
        html.open("p").open("a", {{"class", "button main"}, {"href", shown.home}});
        html.text(fill(in.all_of, {{"organization", of->name}})).close().close();
    }
    html.open("p", {{"class", "small quiet"}}).text(in.request).text(" ").element("code", request_id).close();
    auto answer = page_answer(shown, envelope.status);
    for (auto& field : envelope.headers) answer.headers.push_back(std::move(field));
    return answer;
}

} // namespace recruiting::public_api
