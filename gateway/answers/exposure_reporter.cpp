#include "gateway/answers/exposure_reporter.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::size_t most_waiting = 64;
constexpr std::chrono::seconds before_next_try{1};

} // namespace

exposure_metrics::exposure_metrics(metrics::registry& registry)
    : reported(registry.add_counter("recruiting_gateway_exposed_keys_total",
                                    "Keys seen where none may be, by what became of it.", "outcome=\"reported\"")),
      dropped(registry.add_counter("recruiting_gateway_exposed_keys_total",
                                   "Keys seen where none may be, by what became of it.", "outcome=\"dropped\"")) {}

void exposure_reporter::note(request_context const& x, std::shared_ptr<void> owner) {
    auto const found = find_exposure(x.head);
    if (!found) return;
    if (waiting_.size() >= most_waiting) return counters_.dropped.add();
    if (!known_.is_new(found->secret + to_string(x.client), seen_lately::clock::now())) return;
    append_exposure_report(waiting_.emplace_back(), x, *found, "localhost");
    if (working_) return;
    working_ = true;
    spawn(context_, work(std::move(owner)));
}

// While the service is away, reports wait for it.
task<void> exposure_reporter::work(std::shared_ptr<void> owner) {
    while (!waiting_.empty()) {
        bool const sent = co_await send();
        if (sent) {
            waiting_.pop_front();
            counters_.reported.add();
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
    text.add(waiting_.front());
    bool const written = co_await connection->io.write(text, limit_);
    if (!written) co_return false;
    auto const outcome = co_await connection->io.read(connection->buffer, limit_);
    co_return outcome == read_outcome::data;
}

} // namespace recruiting::gateway
