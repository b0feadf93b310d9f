#include "core/settings.hpp"

#include "core/file.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

#include <algorithm>

namespace recruiting {
namespace {

std::string join(std::vector<std::string> const& parts) {
    std::string out;
    for (auto const& part : parts) out += (out.empty() ? "" : ",") + part;
    return out;
}

} // namespace

std::optional<endpoint> parse_endpoint(std::string_view text) {
    if (text.starts_with("unix:")) {
        if (text.size() == 5 || text.size() > 5 + 107) return std::nullopt;
        return endpoint{{}, 0, std::string(text.substr(5))};
    }
    auto const colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    auto const port = parse_number<std::uint16_t>(text.substr(colon + 1));
    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string_view::npos) return std::nullopt;
    if (!port || host.empty()) return std::nullopt;
    return endpoint{std::string(host), *port, {}};
}

std::string to_string(endpoint const& where) {
    if (!where.unix_path.empty()) return "unix:" + where.unix_path;
    bool const v6 = where.host.find(':') != std::string::npos;
    return (v6 ? "[" + where.host + "]" : where.host) + ":" + std::to_string(where.port);
}

settings_reader::settings_reader(std::string program, std::string summary, std::string prefix)
    : program_(std::move(program)), summary_(std::move(summary)), prefixes_{std::move(prefix)} {}

void settings_reader::custom(std::string name, std::string default_text, std::string help,
                             std::function<std::optional<std::string>(std::string_view)> assign) {
    settings_.push_back({std::move(name), std::move(default_text), {}, std::move(help), std::move(assign)});
}

void settings_reader::text(std::string name, std::string& target, std::string help) {
    custom(std::move(name), target, std::move(help), [&target](std::string_view value) -> std::optional<std::string> {
        target = value;
        return std::nullopt;
    });
}

void settings_reader::choice(std::string name, std::string& target, std::vector<std::string> allowed,
                             std::string help) {
    auto range = "one of " + join(allowed);
    auto const parse = [allowed = std::move(allowed)](std::string_view value) {
        auto const found = std::find(allowed.begin(), allowed.end(), value);
        return found == allowed.end() ? std::nullopt : std::optional(*found);
    };
    custom(std::move(name), target, std::move(help), parsed_into(target, parse, "must be " + range));
    settings_.back().range = std::move(range);
}

void settings_reader::number(std::string name, std::int64_t& target, std::int64_t least, std::int64_t most,
                             std::string help) {
    auto range = std::to_string(least) + " to " + std::to_string(most);
    auto const parse = [least, most](std::string_view value) {
        auto const parsed = parse_number<std::int64_t>(value);
        return parsed && *parsed >= least && *parsed <= most ? parsed : std::nullopt;
    };
    custom(std::move(name), std::to_string(target), std::move(help),
           parsed_into(target, parse, "must be a number from " + range));
    settings_.back().range = std::move(range);
}

void settings_reader::flag(std::string name, bool& target, std::string help) {
    auto const parse = [](std::string_view value) {
        return value == "true" || value == "false" ? std::optional(value == "true") : std::nullopt;
    };
    custom(std::move(name), target ? "true" : "false", std::move(help),
           parsed_into(target, parse, "must be true or false"));
}

void settings_reader::duration(std::string name, std::chrono::milliseconds& target, std::chrono::milliseconds least,
                               std::chrono::milliseconds most, std::string help) {
    auto range = format_duration(least) + " to " + format_duration(most);
    auto const parse = [least, most](std::string_view value) {
        auto const parsed = parse_duration(value);
        return parsed && *parsed >= least && *parsed <= most ? parsed : std::nullopt;
    };
    custom(std::move(name), format_duration(target), std::move(help),
           parsed_into(target, parse, "must be a duration such as 250ms, 30s, 15m or 24h, from " + range));
    settings_.back().range = std::move(range);
}

void settings_reader::address(std::string name, endpoint& target, std::string help) {
    custom(std::move(name), to_string(target), std::move(help),
           parsed_into(target, parse_endpoint, "must be host:port, [address]:port or unix:/path"));
}

void settings_reader::list(std::string name, std::vector<std::string>& target, std::string help) {
    custom(std::move(name), join(target), std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               target.clear();
               for (auto const part : split(value, ','))
                   if (auto const item = trim(part); !item.empty()) target.emplace_back(item);
               return std::nullopt;
           });
}

void settings_reader::networks(std::string name, std::vector<ip_network>& target, std::string help) {
    std::string default_text;
    for (auto const& network : target) default_text += (default_text.empty() ? "" : ",") + to_string(network);
    custom(std::move(name), default_text, std::move(help),
           [&target](std::string_view value) -> std::optional<std::string> {
               target.clear();
               for (auto const part : split(value, ',')) {
                   if (trim(part).empty()) continue;
                   auto const network = parse_network(trim(part));
                   if (!network)
                       return "must be a comma-separated list of addresses and networks such as 10.0.0.0/8,::1";
                   target.push_back(*network);
               }
               return std::nullopt;
           });
}

void settings_reader::log(log::settings& target) {
    custom("RECRUITING_LOG_LEVEL", "info", "Minimum log level.",
           parsed_into(target.threshold, log::parse_level, "must be one of debug,info,warning,error"));
    settings_.back().range = "one of debug,info,warning,error";
}

void settings_reader::secret_file(std::string name, std::string& target, std::size_t least, std::string help) {
    custom(std::move(name), "", std::move(help),
           [&target, least](std::string_view value) -> std::optional<std::string> {
               std::string content;
               if (auto wrong = read_file(std::string(value), content)) return wrong;
               while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
               if (content.size() < least)
                   return std::string(value) + " must hold at least " + std::to_string(least) + " bytes";
               target = std::move(content);
               return std::nullopt;
           });
    settings_.back().range = "a path";
}

void settings_reader::last_may_be_in_file() {
    auto& last = settings_.back();
    last.may_be_in_file = true;
    last.range = "or " + last.name + "_FILE: a path";
}

void settings_reader::certificates_file(std::string name, std::string& target, std::string help) {
    custom(std::move(name), "", std::move(help), [&target](std::string_view value) -> std::optional<std::string> {
        std::string content;
        if (!value.empty())
            if (auto wrong = read_file(std::string(value), content)) return wrong;
        if (!value.empty() && content.find("-----BEGIN ") == std::string::npos)
            return std::string(value) + " holds no certificate in PEM form";
        target = value;
        return std::nullopt;
    });
}

} // namespace recruiting
