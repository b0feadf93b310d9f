#include "recruitctl/top/watch.hpp"

#include "recruitctl/scrape/fetch.hpp"

#include <algorithm>
#include <utility>

namespace recruiting::recruitctl::top {
namespace {

instance_scrape read(target const& of, transfer::http_result const& ready, transfer::http_result const& metrics) {
    instance_scrape out;
    out.program = of.program;
    out.address = to_string(of.where);
    out.at = std::chrono::steady_clock::now();
    auto const* const answer = scrape::answer_of(metrics);
    if (answer == nullptr || answer->status != 200) {
        out.why = scrape::describe(metrics);
        return out;
    }
    auto parsed = scrape::parse(answer->body);
    if (!parsed.problem.empty()) {
        out.why = "its metrics can't be read: " + parsed.problem;
        return out;
    }
    out.up = true;
    out.metrics = std::move(parsed.what);
    auto const* const readiness = scrape::answer_of(ready);
    out.ready = readiness != nullptr && readiness->status == 200;
    if (!out.ready) out.why = scrape::describe(ready);
    return out;
}

} // namespace

std::vector<instance_scrape> scrape_all(std::vector<target> const& targets, std::chrono::milliseconds limit) {
    std::vector<transfer::http_request> requests;
    for (auto const& one : targets) {
        requests.push_back(scrape::get(one.where, "/readyz", limit));
        requests.push_back(scrape::get(one.where, "/metrics", limit));
    }
    auto const results = scrape::fetch_all(std::move(requests));
    std::vector<instance_scrape> out;
    for (std::size_t i = 0; i < targets.size(); ++i)
        out.push_back(read(targets[i], results[2 * i], results[2 * i + 1]));
    return out;
}

namespace {

constexpr std::chrono::milliseconds longest_scrape{5'000};

} // namespace

watch::watch(std::vector<target> targets, std::chrono::milliseconds interval, std::function<void()> on_scrapes)
    : targets_(std::move(targets)), interval_(interval), on_scrapes_(std::move(on_scrapes)),
      thread_([this](std::stop_token const& stop) { work(stop); }) {}

std::optional<two_scrapes> watch::take() {
    std::lock_guard const lock(mutex_);
    if (!is_new_) return std::nullopt;
    is_new_ = false;
    return scrapes_;
}

void watch::work(std::stop_token const& stop) {
    for (auto next = std::chrono::steady_clock::now();; next += interval_) {
        auto found = scrape_all(targets_, std::min(interval_, longest_scrape));
        {
            std::lock_guard const lock(mutex_);
            scrapes_.before = std::exchange(scrapes_.now, std::move(found));
            is_new_ = true;
        }
        on_scrapes_();
        next = std::max(next, std::chrono::steady_clock::now() - interval_); // late scrapes are not made up for
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, stop, next + interval_, [] { return false; });
        if (stop.stop_requested()) return;
    }
}

} // namespace recruiting::recruitctl::top
