#include "public_api/pages/page.hpp"

#include "public_api/pages/html_writer.hpp"
#include "public_api/pages/style.hpp"
#include "words/words.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view host_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]";

// "https://cdn.example" of a logo's address, or "" where that could not stand in a policy.
std::string_view origin_of(std::string_view url) {
    auto const scheme = url.starts_with("https://") ? 8U : url.starts_with("http://") ? 7U : 0U;
    if (scheme == 0) return {};
    auto const origin = url.substr(0, url.find_first_of("/?#", scheme));
    bool const plain = origin.find_first_not_of(host_characters, scheme) == std::string_view::npos;
    return plain && origin.size() > scheme ? origin : std::string_view();
}

// No script or style of the page's own text runs; nothing is loaded from elsewhere but the logo.
std::string policy(page const& shown) {
    std::string out = "default-src 'none'; style-src 'self'; img-src 'self' data:";
    auto const logo = shown.logo_url ? origin_of(*shown.logo_url) : std::string_view();
    if (!logo.empty()) out.append(" ").append(logo);
    if (!shown.script.empty()) out += "; script-src 'self'; connect-src 'self'";
    return out + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
}

void write_head(html_writer& html, page const& shown) {
    html.open("head")
        .empty("meta", {{"charset", "utf-8"}})
        .element("title", shown.title)
        .empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}})
        .empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    if (shown.is_private) html.empty("meta", {{"name", "robots"}, {"content", "noindex, nofollow"}});
    html.empty("link", {{"rel", "stylesheet"}, {"href", style_address()}});
    // No icon: browsers would ask the API for one.
    html.empty("link", {{"rel", "icon"}, {"href", "data:,"}}).markup(shown.head);
    if (!shown.script.empty()) html.open("script", {{"src", shown.script}, {"defer", ""}}).close();
    html.close();
}

void write_banner(html_writer& html, page const& shown) {
    if (shown.organization.empty()) return;
    html.open("header", {{"class", "top"}}).open("div", {{"class", "frame"}});
    // The name beside it says what the logo shows.
    if (shown.logo_url && !origin_of(*shown.logo_url).empty())
        html.empty("img", {{"src", *shown.logo_url}, {"alt", ""}, {"height", "40"}});
    if (shown.home.empty()) html.element("span", shown.organization);
    else html.element("a", {{"href", shown.home}}, shown.organization);
    html.close().close();
}

} // namespace

http::response page_answer(page const& shown, unsigned status) {
    http::response answer;
    answer.status = status;
    answer.content_type = "text/html; charset=utf-8";
    answer.add("Content-Security-Policy", policy(shown));
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
    write_head(html, shown);
    html.open("body").element("a", {{"class", "skip"}, {"href", "#main"}}, words_for(shown.language).skip);
    write_banner(html, shown);
    html.open("main", {{"id", "main"}, {"class", "frame"}, {"tabindex", "-1"}}).markup(shown.main).close();
    html.close().close();
    return answer;
}

} // namespace recruiting::public_api
