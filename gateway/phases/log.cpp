#include "gateway/access_log.hpp"
#include "gateway/phases.hpp"
#include "gateway/phases/spans.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {

void log_request(session& s) {
    s.served = true;
    auto const now = std::chrono::steady_clock::now();
    auto const& routes = s.by.settings.routes;
    auto const route = s.x.to == nullptr ? routes.size() : static_cast<std::size_t>(s.x.to - routes.data());
    auto& counters = s.by.counters.requests[route];
    counters.by_class[class_to_count(s.x.status)]->add();
    counters.duration.observe(now - s.x.began);
    bool const has_line =
        s.by.settings.access_log && (!s.x.refused || s.by.refusals.note(s.x.client, s.x.status, s.by.time.now()));
    if (has_line) write_access_line(s.x, now);
    if (s.serving) end_spans(s);
}

} // namespace recruiting::gateway
