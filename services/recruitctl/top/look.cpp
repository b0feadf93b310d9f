#include "recruitctl/top/look.hpp"

#include "recruitctl/scrape/fetch.hpp"

namespace recruiting::recruitctl::top {
namespace {

reading read(target const& of, transfer::http_result const& ready, transfer::http_result const& metrics) {
    reading out;
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

std::vector<reading> look_at(std::vector<target> const& targets, std::chrono::milliseconds limit) {
    std::vector<transfer::http_request> requests;
    for (auto const& one : targets) {
        requests.push_back(scrape::get(one.where, "/readyz", limit));
        requests.push_back(scrape::get(one.where, "/metrics", limit));
    }
    auto const results = scrape::fetch_all(std::move(requests));
    std::vector<reading> out;
    for (std::size_t i = 0; i < targets.size(); ++i)
        out.push_back(read(targets[i], results[2 * i], results[2 * i + 1]));
    return out;
}

} // namespace recruiting::recruitctl::top
