#include "gateway/answers/document_answer.hpp"

#include "core/text.hpp"
#include "gateway/http1/forwarded_head.hpp"
#include "http/message.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

// Of all fields of the name (RFC 9110 section 5.3).
std::string list_of(request_context const& x, std::string_view lower_case_name) {
    std::string out;
    for (auto const& one : x.head.fields.list) {
        if (!iequals(one.name, lower_case_name)) continue;
        if (!out.empty()) out += ", ";
        out += one.value;
    }
    return out;
}

// Weak comparison (RFC 9110 section 13.1.2); our tags hold no comma, so others' may be cut anywhere.
bool names_etag(std::string_view if_none_match, std::string_view etag) {
    if (trim(if_none_match) == "*") return true;
    auto const items = split(if_none_match, ',');
    return std::any_of(items.begin(), items.end(), [etag](std::string_view item) {
        item = trim(item);
        if (item.starts_with("W/")) item.remove_prefix(2);
        return item == etag;
    });
}

representation const& choose(document const& found, request_context const& x) {
    return found.gzip && http::prefers_gzip(list_of(x, "accept-encoding")) ? *found.gzip : found.plain;
}

void begin(std::string& out, request_context& x, unsigned status, std::string_view reason) {
    x.status = status;
    out += "HTTP/1.1 ";
    append_number(out, status);
    out.append(" ").append(reason).append("\r\n").append(date_line());
}

void end(std::string& out, request_context const& x) {
    append_edge_fields(out, x);
    out += "\r\n";
}

std::string_view append_found(std::string& out, request_context& x, document const& found) {
    auto const& form = choose(found, x);
    auto const known = list_of(x, "if-none-match");
    bool const unchanged = !known.empty() && names_etag(known, form.etag);
    begin(out, x, unchanged ? 304 : 200, unchanged ? "Not Modified" : "OK");
    out += form.about;
    if (!unchanged) out += form.content;
    end(out, x);
    return unchanged || x.is_head() ? std::string_view() : std::string_view(form.body);
}

// Its ETag would name another document's absence too: it is sent whole each time.
std::string_view append_missing(std::string& out, request_context& x, document const& page) {
    auto const& form = choose(page, x);
    begin(out, x, 404, "Not Found");
    out.append(form.about.substr(form.about.find("\r\n") + 2)).append(form.content);
    end(out, x);
    return x.is_head() ? std::string_view() : std::string_view(form.body);
}

void append_redirect_to_folder(std::string& out, request_context& x) {
    begin(out, x, 308, "Permanent Redirect");
    out.append("Location: ").append(x.where.path).append("/").append(x.where.query);
    out += "\r\nCache-Control: no-cache\r\nContent-Length: 0\r\n";
    end(out, x);
}

} // namespace

std::optional<std::string_view> append_document_answer(std::string& out, request_context& x,
                                                       document_site const& site) {
    auto const path = x.where.path.substr(x.to->prefix.size());
    if (auto const* const found = site.find(path)) return append_found(out, x, *found);
    if (site.is_folder(path)) {
        append_redirect_to_folder(out, x);
        return std::string_view();
    }
    auto const* const page = site.missing_page();
    if (page == nullptr || !http::accepts(list_of(x, "accept"), "text/html")) return std::nullopt;
    return append_missing(out, x, *page);
}

} // namespace recruiting::gateway
