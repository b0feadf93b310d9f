// What organizations have published, whole and in memory: one immutable snapshot, shared by all threads and replaced as
// PostgreSQL tells of changes. Everything that shows jobs reads it and nothing else, so that jobs are served while
// PostgreSQL is away.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "public_api/catalogue/job_choices.hpp"
#include "public_api/catalogue/job_index.hpp"
#include "public_api/catalogue/published_job.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct published_organization {
    uuid id;
    std::string slug;
    std::string name;
    std::optional<std::string> website_url;
    std::optional<std::string> logo_url;
    std::optional<std::string> careers_page_url;
    std::string time_zone;         // IANA
    std::vector<job_pointer> jobs; // newest publication first, ties by id, descending

    // Made by the builder.
    std::vector<timestamp> closings; // of the jobs that close by themselves, in order
    job_index index;                 // of jobs, for the list's filters
    job_choices choices;             // among jobs, for the careers page's form

    [[nodiscard]] std::size_t open_job_count(timestamp now) const noexcept;
};

class catalogue {
public:
    /// nullptr: none of that name.
    [[nodiscard]] published_organization const* find_organization(std::string_view slug) const noexcept;
    [[nodiscard]] published_organization const* find_organization(uuid const& id) const noexcept;
    struct entry {
        published_organization const* organization{nullptr};
        published_job const* job{nullptr};
    };
    /// Both null when there is none: unpublished, closed and unknown are the same. now: a job may close by itself.
    [[nodiscard]] entry find_job(uuid const& id, timestamp now) const noexcept;
    /// Has a snapshot been loaded at all? Until then nothing is known, and answers are 503.
    [[nodiscard]] bool loaded() const noexcept { return loaded_; }
    /// All, by id.
    [[nodiscard]] std::vector<std::shared_ptr<published_organization const>> const& organizations() const noexcept {
        return organizations_;
    }
    [[nodiscard]] std::size_t job_count() const noexcept { return jobs_.size(); }

private:
    friend class catalogue_builder;
    // Sorted arrays and no trees: the copy that replaces one organization among thousands is mostly a memcpy.
    std::vector<std::shared_ptr<published_organization const>> organizations_; // by id
    std::vector<published_organization const*> by_slug_;
    std::vector<entry> jobs_; // by id
    bool loaded_{false};
};

} // namespace recruiting::public_api
