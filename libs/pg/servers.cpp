#include "pg/servers.hpp"

#include "core/log.hpp"
#include "core/text.hpp"
#include "pg/url.hpp"

#include <algorithm>

namespace recruiting::pg {
namespace {

// How often one connection tries a silent host again.
constexpr std::chrono::seconds retry_interval{1};

std::vector<std::string> parts_of(connection_options const& options, std::string_view name) {
    std::vector<std::string> out;
    auto const found = options.find(name);
    if (found == options.end()) return out;
    for (auto const part : split(found->second, ',')) out.emplace_back(part);
    return out;
}

// One port goes with every host; an empty one in a list is PostgreSQL's own.
std::string port_of(std::vector<std::string> const& ports, std::size_t index) {
    if (ports.empty()) return {};
    auto const& port = ports.at(ports.size() == 1 ? 0 : std::min(index, ports.size() - 1));
    return port.empty() ? "5432" : port;
}

std::vector<std::string> attributes_of(connection_options const& options) {
    auto const found = options.find("target_session_attrs");
    if (found == options.end()) return {""};
    // libpq goes through all hosts for a standby first; here each host is a connection attempt of its own.
    if (found->second == "prefer-standby") return {"standby", "any"};
    return {found->second};
}

} // namespace

std::string_view const select_line = "SELECT system, timeline FROM recruiting.server_line()";

server_line read_line(row from) {
    server_line out;
    out.system = from.text();
    out.timeline = from.optional_integer().value_or(0);
    return out;
}

void known_servers::read(std::string const& url) {
    std::lock_guard const lock(mutex_);
    if (!hosts_.empty()) return;
    auto const options = options_of(url).value_or(connection_options{});
    auto const names = parts_of(options, "host");
    auto const addresses = parts_of(options, "hostaddr");
    auto const ports = parts_of(options, "port");
    auto const count = std::max({names.size(), addresses.size(), std::size_t{1}});
    for (std::size_t i = 0; i < count; ++i) {
        auto const name = i < names.size() ? names[i] : std::string();
        auto const address = i < addresses.size() ? addresses[i] : std::string();
        hosts_.push_back({{name, address, port_of(ports, i)}});
    }
    if (auto const timeout = options.find("connect_timeout"); timeout != options.end())
        if (auto const seconds = parse_number<int>(timeout->second); seconds.value_or(0) > 0)
            connect_timeout_ = std::chrono::seconds{*seconds};
    attributes_ = attributes_of(options);
}

std::vector<std::size_t> known_servers::to_try(coarse_clock::time_point now) {
    std::lock_guard const lock(mutex_);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
        if (!hosts_[i].avoid) out.push_back(i);
    auto const next =
        std::find_if(hosts_.begin(), hosts_.end(), [&](state const& one) { return one.avoid && one.try_at <= now; });
    if (next == hosts_.end()) return out;
    next->try_at = now + retry_interval; // no other connection tries it until then
    out.push_back(static_cast<std::size_t>(next - hosts_.begin()));
    return out;
}

void known_servers::silent(std::size_t index, coarse_clock::time_point now) {
    std::lock_guard const lock(mutex_);
    auto& silent = hosts_.at(index);
    silent.silence_before = silent.last_silence;
    silent.last_silence = now;
    silent.avoid = true;
    silent.try_at = now + retry_interval;
}

void known_servers::answered(std::size_t index) {
    std::lock_guard const lock(mutex_);
    hosts_.at(index).avoid = false;
}

void known_servers::unusable(std::size_t index, coarse_clock::time_point now) {
    std::lock_guard const lock(mutex_);
    hosts_.at(index).avoid = true;
    hosts_.at(index).try_at = now + retry_interval;
}

bool known_servers::silent_since(std::size_t index, coarse_clock::time_point heard) const {
    std::lock_guard const lock(mutex_);
    return hosts_.at(index).silence_before > heard;
}

std::string known_servers::refuse(server_line const& line) {
    if (line.system.empty() || line.timeline == 0) return {};
    std::lock_guard const lock(mutex_);
    if (newest_ && newest_->system != line.system)
        return "the server is of another system (identifier " + line.system + ", before " + newest_->system +
               "): restart the program if that is meant";
    if (newest_ && newest_->timeline > line.timeline)
        return "the server is on the older timeline " + std::to_string(line.timeline) + ", " +
               std::to_string(newest_->timeline) + " was seen: it was replaced, and must not serve";
    if (newest_ && newest_->timeline < line.timeline)
        log::info("postgres_promoted", {{"timeline", line.timeline}, {"before", newest_->timeline}});
    newest_ = line;
    newest_timeline_ = line.timeline;
    return {};
}

} // namespace recruiting::pg
