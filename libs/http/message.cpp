#include "http/message.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <ctime>

namespace recruiting::http {

std::string_view request::header(std::string_view name) const noexcept {
    for (auto const& [field, value] : headers)
        if (iequals(field, name)) return value;
    return {};
}

int request::header_count(std::string_view name) const noexcept {
    int count = 0;
    for (auto const& [field, value] : headers) count += iequals(field, name) ? 1 : 0;
    return count;
}

namespace {

// How exactly a media range names a type: 3 by name, 2 "text/*", 1 "*/*", 0 not at all.
int specificity(std::string_view range, std::string_view media_type) noexcept {
    if (iequals(range, media_type)) return 3;
    if (range == "*/*") return 1;
    auto const slash = media_type.find('/');
    bool const subtype_any = range.size() == slash + 2 && range.ends_with("/*");
    return subtype_any && iequals(range.substr(0, slash), media_type.substr(0, slash)) ? 2 : 0;
}

struct acceptance {
    int specificity{0};
    int quality{0};
};

// The most exact range that fits decides (RFC 9110 section 12.5.1).
acceptance acceptance_of(std::string_view accept, std::string_view media_type) noexcept {
    acceptance best;
    while (!accept.empty()) {
        auto const [range, quality] = take_weighted(accept);
        auto const fits = specificity(range, media_type);
        if (fits > best.specificity) best = {fits, quality};
    }
    return best;
}

} // namespace

bool accepts(std::string_view accept, std::string_view media_type) noexcept {
    auto const found = acceptance_of(accept, media_type);
    return found.specificity == 3 && found.quality > 0;
}

std::string_view preferred_type(std::string_view accept, std::initializer_list<std::string_view> offered) noexcept {
    std::string_view best = *offered.begin();
    int best_quality = 0;
    for (auto const type : offered) {
        auto const quality = acceptance_of(accept, type).quality;
        if (quality <= best_quality) continue;
        best = type;
        best_quality = quality;
    }
    return best;
}

bool prefers_gzip(std::string_view accept_encoding) noexcept {
    int gzip = -1;     // not named
    int any = 0;       // "*"
    int identity = -1; // acceptable where nothing is said, but then as the last choice
    while (!accept_encoding.empty()) {
        auto const [coding, quality] = take_weighted(accept_encoding);
        if (iequals(coding, "gzip") || iequals(coding, "x-gzip")) gzip = std::max(gzip, quality);
        else if (iequals(coding, "identity")) identity = quality;
        else if (coding == "*") any = quality;
    }
    if (gzip < 0) gzip = any;
    return gzip > 0 && gzip >= identity;
}

std::optional<api_error> refuse_body(request const& req, std::string_view media_type, std::int64_t longest) {
    auto const field = req.header("Content-Type");
    if (req.header_count("Content-Type") != 1 || !iequals(trim(field.substr(0, field.find(';'))), media_type)) {
        auto refused = make_error(error_code::unsupported_media_type);
        refused.message = "The request's body must be " + std::string(media_type) + ".";
        return refused;
    }
    if (req.body.size() <= static_cast<std::size_t>(longest)) return std::nullopt;
    auto refused = make_error(error_code::payload_too_large);
    refused.message = "The request's body must be at most " + std::to_string(longest) + " bytes long.";
    return refused;
}

namespace {

// Some proxies add a port.
std::optional<ip_address> parse_entry(std::string_view entry) {
    auto const end = entry.find(']');
    if (entry.starts_with('[') && end != std::string_view::npos) return parse_ip(entry.substr(1, end - 1));
    if (std::count(entry.begin(), entry.end(), ':') == 1) entry = entry.substr(0, entry.find(':'));
    return parse_ip(entry);
}

} // namespace

// Fields of one name are one list in their order (RFC 9110 section 5.3), so the last entry is in the last field.
ip_address client_address(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                          std::vector<ip_network> const& trusted_proxies) {
    auto client = peer;
    for (auto field = forwarded_for.rbegin(); field != forwarded_for.rend(); ++field) {
        auto const entries = split(*field, ',');
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            auto const next = parse_entry(trim(*entry));
            if (!next || !any_contains(trusted_proxies, client)) return client;
            client = *next;
        }
    }
    return client;
}

std::optional<ip_address> client_address(request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const peer = parse_ip(req.peer);
    if (!peer) return std::nullopt;
    std::vector<std::string_view> fields;
    for (auto const& [name, value] : req.headers)
        if (iequals(name, "X-Forwarded-For")) fields.emplace_back(value);
    return client_address(*peer, fields, trusted_proxies);
}

std::string_view date_line() {
    thread_local std::time_t made_for = 0;
    thread_local char text[48];
    auto const now = std::time(nullptr);
    if (now != made_for) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        std::strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
        made_for = now;
    }
    return text;
}

std::string_view reason_of(unsigned status) noexcept {
    return boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
}

void append_head(std::string& out, response const& answer, connection_state connection) {
    out += "HTTP/1.1 ";
    append_number(out, answer.status);
    out += ' ';
    out += reason_of(answer.status);
    out += "\r\n";
    out += date_line();
    out += "X-Content-Type-Options: nosniff"; // no answer of ours is to be taken for another type than it says
    if (answer.stream) {
        if (!connection.http_1_0) out += "\r\nTransfer-Encoding: chunked"; // else the connection's end is the body's
    } else if (answer.status != 204 && answer.status != 304) {             // RFC 9110 section 8.6
        out += "\r\nContent-Length: ";
        append_number(out, answer.content().size());
    }
    if (!answer.content_type.empty() && answer.status != 204 && answer.status != 304)
        out.append("\r\nContent-Type: ").append(answer.content_type);
    for (auto const& [name, value] : answer.headers) out.append("\r\n").append(name).append(": ").append(value);
    if (!connection.keep_alive) out += "\r\nConnection: close";
    out += "\r\n\r\n";
}

} // namespace recruiting::http
