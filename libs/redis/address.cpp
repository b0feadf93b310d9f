#include "redis/address.hpp"

#include "core/text.hpp"

namespace recruiting::redis {
namespace {

// Cuts text at the first (or last) mark; what follows the mark, or nothing.
std::optional<std::string_view> cut(std::string_view& text, std::size_t mark) {
    if (mark == std::string_view::npos) return std::nullopt;
    auto const rest = text.substr(mark + 1);
    text = text.substr(0, mark);
    return rest;
}

bool decode(std::string_view text, std::string& out) {
    auto decoded = percent_decode(text);
    if (decoded) out = std::move(*decoded);
    return decoded.has_value();
}

// "[[user:]password@]", taken off the front.
bool take_login(std::string_view& text, login& out) {
    auto const at = text.rfind('@');
    if (at == std::string_view::npos) return true;
    auto password = text.substr(0, at);
    text.remove_prefix(at + 1);
    auto const colon = password.find(':');
    if (colon == std::string_view::npos) return decode(password, out.password);
    return decode(password.substr(0, colon), out.user) && decode(password.substr(colon + 1), out.password);
}

bool take_database(std::optional<std::string_view> text, address& out) {
    if (!text || text->empty()) return true;
    auto const number = parse_number<int>(*text);
    if (!number || *number < 0) return false;
    out.database = *number;
    return true;
}

std::optional<endpoint> parse_host(std::string_view text, std::string_view usual_port) {
    bool const has_port = !text.ends_with(']') && text.find(':') != std::string_view::npos;
    auto where = parse_endpoint(has_port ? std::string(text) : std::string(text).append(":").append(usual_port));
    if (!where || !where->unix_path.empty()) return std::nullopt;
    return where;
}

std::optional<address> parse_tcp(std::string_view text) {
    address out;
    auto const database = cut(text, text.find('/', text.rfind('@') + 1)); // no '@': from the start
    if (!take_database(database, out) || !take_login(text, out.as)) return std::nullopt;
    auto where = parse_host(text, "6379");
    if (!where) return std::nullopt;
    out.where = std::move(*where);
    return out;
}

std::optional<address> parse_unix(std::string_view text) {
    address out;
    if (text.starts_with("//")) text.remove_prefix(2);
    if (auto const query = cut(text, text.find('?'))) {
        if (!query->starts_with("db=") || query->size() == 3 || !take_database(query->substr(3), out))
            return std::nullopt;
    }
    auto where = parse_endpoint("unix:" + std::string(text));
    if (!where || !text.starts_with('/')) return std::nullopt;
    out.where = std::move(*where);
    return out;
}

bool take_sentinel_login(std::string_view query, login& out) {
    for (auto const part : split(query, '&')) {
        auto name = part;
        auto const value = cut(name, part.find('='));
        if (!value) return false;
        if (name == "sentinel_user" && decode(*value, out.user)) continue;
        if (name == "sentinel_password" && decode(*value, out.password)) continue;
        return false;
    }
    return true;
}

std::optional<address> parse_sentinels(std::string_view text) {
    address out;
    if (auto const query = cut(text, text.find('?')); query && !take_sentinel_login(*query, out.at_sentinels))
        return std::nullopt;
    if (!take_login(text, out.as)) return std::nullopt;
    auto service = cut(text, text.find('/'));
    if (!service) return std::nullopt;
    auto const database = cut(*service, service->find('/'));
    if (!take_database(database, out) || !decode(*service, out.service) || out.service.empty()) return std::nullopt;
    for (auto const host : split(text, ',')) {
        auto where = parse_host(host, "26379");
        if (!where) return std::nullopt;
        out.sentinels.push_back(std::move(*where));
    }
    return out;
}

std::optional<address> encrypted(std::optional<address> out) {
    if (out) out->is_encrypted = true;
    return out;
}

} // namespace

std::optional<address> parse_address(std::string_view url) {
    if (url.starts_with("unix:")) return parse_unix(url.substr(5));
    if (url.starts_with("redis://")) return parse_tcp(url.substr(8));
    if (url.starts_with("rediss://")) return encrypted(parse_tcp(url.substr(9)));
    if (url.starts_with("sentinel://")) return parse_sentinels(url.substr(11));
    if (url.starts_with("sentinels://")) return encrypted(parse_sentinels(url.substr(12)));
    return std::nullopt;
}

std::optional<std::string> read_address(std::string_view url, address& out) {
    auto read = parse_address(url);
    if (!read) return "must be " + std::string(address_forms);
    read->tls = std::move(out.tls);
    out = std::move(*read);
    return std::nullopt;
}

std::string to_string(address const& of) {
    auto text = of.sentinels.empty() ? recruiting::to_string(of.where) : "sentinel " + of.service;
    for (auto const& one : of.sentinels) text += (text.find('@') == std::string::npos ? "@" : ",") + to_string(one);
    if (of.database != 0) text += "/" + std::to_string(of.database);
    return text;
}

} // namespace recruiting::redis
