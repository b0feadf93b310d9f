// The documentation that the process serves: read from its folder at start and with SIGHUP, shared by all threads.
#pragma once
#include "core/settings.hpp"
#include "public_api/docs/document_site.hpp"
#include "public_api/http/plan.hpp"
#include "telemetry/metrics.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace recruiting::public_api {

struct document_settings {
    std::string folder; // empty: no documentation is served
};
void declare_documents(settings_reader& reader, document_settings& to);

struct document_metrics {
    metrics::registry& registry;
    metrics::gauge& files = registry.add_gauge("recruiting_public_api_docs_files", "Files of the documentation.");
    metrics::gauge& bytes = registry.add_gauge("recruiting_public_api_docs_bytes", "Memory of the documentation.");
    metrics::counter& failed_reloads =
        registry.add_counter("recruiting_public_api_docs_reloads_failed_total",
                             "Reloads of the documentation that failed; the old one stays in use.");
};

class shared_site {
public:
    /// Throws std::runtime_error as http::read_site does, and when there is no front page. Without a folder there is no
    /// site.
    shared_site(document_settings settings, metrics::registry& registry);

    /// The site that is served now; nullptr: none. A response that is still sent keeps the body it began with. Any
    /// thread.
    [[nodiscard]] std::shared_ptr<document_site const> current() const;
    /// Reads the folder again. When that fails, the failure is logged and counted, and the old site stays.
    void reload();

private:
    void read();

    document_settings const settings_;
    document_metrics counters_;
    mutable std::mutex mutex_;
    std::shared_ptr<document_site const> site_;
};

/// GET /docs…: a document of the site, whole, in the form that the client prefers.
[[nodiscard]] result<plan> get_document(action_input const& input);

} // namespace recruiting::public_api
