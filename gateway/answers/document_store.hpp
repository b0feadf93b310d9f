// The documentation the process serves: read from its folder at start and with SIGHUP, shared by all threads.
#pragma once
#include "gateway/answers/documents.hpp"
#include "telemetry/metrics.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace recruiting::gateway {

struct document_settings {
    std::string folder; // empty: none is served
    std::int64_t files_limit{2'000};
    std::int64_t bytes_limit{std::int64_t{64} << 20}; // of all files, as they are on the disk
};

struct document_metrics {
    explicit document_metrics(metrics::registry& registry);
    metrics::gauge& files;
    metrics::gauge& bytes;
    metrics::counter& failed_reloads;
};

/// Every file below the folder but hidden ones; "x.gz" beside "x" is its compressed form. Links are not followed.
/// Throws std::runtime_error when one can't be read, or there is more than the limits allow.
[[nodiscard]] std::vector<site_file> read_site(document_settings const& settings);

class document_store {
public:
    /// Throws std::runtime_error as read_site does, and when there is no page to begin with.
    document_store(document_settings settings, document_metrics& counters);

    /// What is served now. Whoever still sends of an older one keeps it. Any thread.
    [[nodiscard]] std::shared_ptr<document_site const> current() const;
    /// Reads the folder again. Throws as the constructor does; then the old site stays.
    void reload();

private:
    document_settings const settings_;
    document_metrics& counters_;
    mutable std::mutex mutex_;
    std::shared_ptr<document_site const> site_;
};

} // namespace recruiting::gateway
