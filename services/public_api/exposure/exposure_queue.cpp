#include "public_api/exposure/exposure_queue.hpp"

#include "core/text.hpp"

#include <iterator>
#include <utility>

namespace recruiting::public_api {
namespace {

constexpr std::string_view reported_by_gateway = "X-Exposed-Credential"; // "GET Authorization sp_live_…"
constexpr std::size_t longest_place = 100;

std::optional<sent_key> read_report(std::string_view field) {
    auto const parts = split(field, ' ');
    if (parts.size() != 3) return std::nullopt;
    auto secret = http::find_key(parts[2]);
    if (secret.empty()) return std::nullopt;
    return sent_key{{std::move(secret), std::string(parts[1].substr(0, longest_place))}, std::string(parts[0])};
}

bool comes_from(http::request const& req, std::vector<ip_network> const& proxies) {
    auto const peer = parse_ip(req.peer);
    return peer && any_contains(proxies, *peer);
}

std::optional<http::exposed_key> find_in(http::request const& req) {
    for (auto const& [name, value] : req.headers)
        if (auto found = http::find_key_in_field(name, value)) return found;
    if (auto found = http::find_key_in_target(req.target)) return found;
    auto secret = http::find_key(req.body);
    if (secret.empty()) return std::nullopt;
    return http::exposed_key{std::move(secret), "body"};
}

} // namespace

std::optional<sent_key> find_exposed_key(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const report = req.header(reported_by_gateway);
    if (!report.empty() && comes_from(req, trusted_proxies))
        if (auto reported = read_report(report)) return reported;
    auto found = find_in(req);
    if (!found) return std::nullopt;
    return sent_key{std::move(*found), std::string(req.method)};
}

namespace {

constexpr std::size_t most_known = 4096;

metrics::counter& outcome(metrics::registry& registry, std::string const& name) {
    return registry.add_counter("recruiting_public_api_exposed_keys_total",
                                "API keys sent here that could be real, by what became of it.",
                                "outcome=\"" + name + '"');
}

} // namespace

exposure_queue::exposure_queue(std::size_t most, std::chrono::milliseconds repeat, metrics::registry& registry)
    : most_(most), known_(most_known, repeat), reported_(outcome(registry, "reported")),
      dropped_(outcome(registry, "dropped")), over_budget_(outcome(registry, "over_budget")) {}

void exposure_queue::note(exposure seen, seen_lately::clock::time_point now) {
    std::scoped_lock const lock(mutex_);
    if (waiting_.size() >= most_) return dropped_.add();
    if (!known_.is_new(seen.secret, now)) return;
    auto const client = parse_ip(seen.report.client);
    if (client && !budget_.take(*client, now)) return over_budget_.add();
    waiting_.push_back(std::move(seen));
}

std::vector<exposure> exposure_queue::take() {
    std::scoped_lock const lock(mutex_);
    return std::exchange(waiting_, {});
}

void exposure_queue::put_back(std::vector<exposure> unwritten) {
    std::scoped_lock const lock(mutex_);
    unwritten.insert(unwritten.end(), std::make_move_iterator(waiting_.begin()),
                     std::make_move_iterator(waiting_.end()));
    waiting_ = std::move(unwritten);
}

} // namespace recruiting::public_api
