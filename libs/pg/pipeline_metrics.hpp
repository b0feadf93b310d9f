// What is counted of pipelines, together for those of one purpose ("pool") in a process' threads.
#pragma once
#include "telemetry/metrics.hpp"

#include <chrono>
#include <string>

namespace recruiting::pg {

class pipeline_metrics {
public:
    pipeline_metrics(metrics::registry& registry, std::string const& pool);

    void made() const noexcept { wanted_->add(1); }
    void stopped() const noexcept { wanted_->add(-1); }
    void connected() const noexcept { connections_->add(1); }
    void disconnected() const noexcept { connections_->add(-1); }
    void lost() const noexcept { losses_->add(); }
    void not_connected() const noexcept { connect_failures_->add(); }
    void sent() const noexcept { in_flight_->add(1); }
    void answered(std::chrono::nanoseconds duration, bool failed) const noexcept;
    void unanswered(std::size_t segments) const noexcept { in_flight_->add(-static_cast<std::int64_t>(segments)); }
    void refused() const noexcept { refused_->add(); }

private:
    metrics::gauge* wanted_;
    metrics::gauge* connections_;
    metrics::gauge* in_flight_;
    metrics::counter* losses_;
    metrics::counter* connect_failures_;
    metrics::counter* failed_;
    metrics::counter* refused_;
    metrics::histogram* seconds_;
};

} // namespace recruiting::pg
