#include "redis/address.hpp"

#include "core/text.hpp"

namespace recruiting::redis {
namespace {

bool take_credentials(std::string_view text, address& out) {
    auto const colon = text.find(':');
    auto const user = percent_decode(text.substr(0, colon));
    auto const password =
        colon == std::string_view::npos ? std::optional<std::string>{""} : percent_decode(text.substr(colon + 1));
    if (!user || !password) return false;
    out.user = *user;
    out.password = *password;
    return true;
}

bool take_database(std::string_view text, address& out) {
    if (text.empty()) return true;
    auto const number = parse_number<int>(text);
    if (!number || *number < 0) return false;
    out.database = *number;
    return true;
}

std::optional<address> parse_unix(std::string_view text) {
    address out;
    if (text.starts_with("//")) text.remove_prefix(2);
    auto const question = text.find('?');
    if (question != std::string_view::npos) {
        auto const query = text.substr(question + 1);
        if (!query.starts_with("db=") || query.size() == 3 || !take_database(query.substr(3), out)) return std::nullopt;
        text = text.substr(0, question);
    }
    auto where = parse_endpoint("unix:" + std::string(text));
    if (!where || !text.starts_with('/')) return std::nullopt;
    out.where = std::move(*where);
    return out;
}

} // namespace

std::optional<address> parse_address(std::string_view url) {
    if (url.starts_with("unix:")) return parse_unix(url.substr(5));
    if (!url.starts_with("redis://")) return std::nullopt;
    url.remove_prefix(8);
    address out;
    auto const slash = url.rfind('/');
    if (slash != std::string_view::npos) {
        if (!take_database(url.substr(slash + 1), out)) return std::nullopt;
        url = url.substr(0, slash);
    }
    auto const at = url.rfind('@');
    if (at != std::string_view::npos) {
        if (!take_credentials(url.substr(0, at), out)) return std::nullopt;
        url.remove_prefix(at + 1);
    }
    bool const has_port = url.ends_with(']') ? false : url.find(':') != std::string_view::npos;
    auto where = parse_endpoint(has_port ? std::string(url) : std::string(url) + ":6379");
    if (!where || !where->unix_path.empty()) return std::nullopt;
    out.where = std::move(*where);
    return out;
}

std::string to_string(address const& of) {
    auto text = recruiting::to_string(of.where);
    if (of.database != 0) text += "/" + std::to_string(of.database);
    return text;
}

} // namespace recruiting::redis
