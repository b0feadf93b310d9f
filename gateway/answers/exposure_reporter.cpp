#include "gateway/answers/credential_exposure.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace recruiting::gateway {
namespace {

constexpr std::chrono::seconds before_next_try{1};

metrics::counter& counter_of(metrics::registry& registry, std::string const& outcome) {
    return registry.add_counter("recruiting_gateway_exposed_keys_total",
                                "Keys that were sent to the public API or a page, by outcome.",
                                "outcome=\"" + outcome + "\"");
}

} // namespace

exposure_reporter::exposure_reporter(asio::io_context& context, upstream& to, std::chrono::milliseconds limit,
                                     fair_budget& budget, metrics::registry& registry)
    : context_(context), to_(to), limit_(limit), budget_(budget), reported_(counter_of(registry, "reported")),
      dropped_(counter_of(registry, "dropped")), over_budget_(counter_of(registry, "over_budget")) {}

waiting_reports::report* waiting_reports::add(ip_address const& client) {
    if (is_full()) {
        std::map<ip_address, std::size_t> count;
        for (auto const& one : list) ++count[one.client];
        if (count.contains(client)) return nullptr;
        auto const last = std::max_element(list.rbegin(), list.rend(), [&count](auto const& a, auto const& b) {
            return count[a.client] < count[b.client];
        });
        if (count[last->client] < 2) return nullptr;
        list.erase(std::next(last).base()); // never the first of all: it has another one behind it
    }
    return &list.emplace_back(report{client, {}});
}

void exposure_reporter::note(request_context const& x, std::shared_ptr<void> owner) {
    auto const found = find_exposure(x.head);
    if (!found) return;
    auto const now = recent_set::clock::now();
    if (!known_.is_new(found->secret + to_string(x.client), now)) return;
    if (!budget_.take(x.client, now)) return over_budget_.add();
    if (waiting_.is_full()) dropped_.add(); // this one, or another that is dropped for it
    auto* const added = waiting_.add(x.client);
    if (added == nullptr) return;
    append_exposure_report(added->text, x, *found, "localhost");
    if (working_) return;
    working_ = true;
    spawn(context_, work(std::move(owner)));
}

// While the service is unavailable, reports wait for it.
task<void> exposure_reporter::work(std::shared_ptr<void> owner) {
    while (!waiting_.list.empty()) {
        bool const sent = co_await send();
        if (sent) {
            waiting_.list.pop_front();
            reported_.add();
        } else {
            co_await sleep_for(before_next_try);
        }
    }
    working_ = false;
    owner.reset();
}

// true: the service answered. What it answered is the same for every key.
task<bool> exposure_reporter::send() {
    tried_addresses const none;
    auto where = to_.next(none);
    if (!where) co_return false;
    auto const connection = co_await where.connect();
    if (!connection) co_return false;
    gather text;
    text.add(waiting_.list.front().text);
    bool const written = co_await connection->io.write(text, limit_);
    if (!written) co_return false;
    auto const outcome = co_await connection->io.read(connection->buffer, limit_);
    co_return outcome == read_outcome::data;
}

} // namespace recruiting::gateway
