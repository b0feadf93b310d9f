// What organizations have published, whole and in memory: one immutable snapshot, shared by all threads and replaced as
// PostgreSQL reports changes. Everything that shows jobs reads it and nothing else, so that jobs are served while
// PostgreSQL is unavailable.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "public_api/catalogue/job_index.hpp"
#include "public_api/catalogue/packed_job.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
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
    std::optional<std::string> accent_color;    // "#rrggbb"; shown in its shades (html/accent.hpp)
    std::optional<std::string> share_image_url; // the picture of link previews
    std::optional<std::string> apply_url;       // of jobs without their own; https, http or mailto
    std::optional<std::string> careers_page_url;
    std::optional<std::string> introduction_html; // as html::sanitize writes it
    std::optional<std::string> country_code;      // of jobs that name none
    std::string time_zone;                        // IANA
    std::vector<job_pointer> jobs;                // newest publication first, ties by id, descending

    // Made by the builder.
    std::string origin;              // of this installation
    std::vector<timestamp> closings; // of the jobs that close by themselves, in order
    job_index index;                 // of jobs, for the list's filters
    job_choices choices;             // among jobs, for the careers page's form

    [[nodiscard]] std::size_t open_job_count(timestamp now) const noexcept;
    /// Where people see a job: on the organization's careers page, or ours where it has none.
    [[nodiscard]] std::string public_url(uuid const& job) const;
    /// A job without its description; and with it, which takes some ten microseconds.
    [[nodiscard]] published_job summary(packed_job const& job) const;
    [[nodiscard]] published_job whole(packed_job const& job) const;
};

class catalogue {
public:
    /// nullptr: no organization of that name has published anything (recruiting.published_organizations).
    [[nodiscard]] published_organization const* find_organization(std::string_view slug) const noexcept;
    [[nodiscard]] published_organization const* find_organization(uuid const& id) const noexcept;
    struct entry {
        published_organization const* organization{nullptr};
        packed_job const* job{nullptr};
    };
    /// Both null when there is none: unpublished, closed and unknown are the same. now: a job may close by itself.
    [[nodiscard]] entry find_job(uuid const& id, timestamp now) const noexcept;
    /// The job whose id the text of a path is; there is none if it is no id.
    [[nodiscard]] entry find_job(std::string_view id, timestamp now) const noexcept;
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

// Where the keeper puts each new snapshot and every thread finds it. Readers take no lock: each thread holds the
// snapshot it saw last, and compares a number to notice a newer one.

class shared_catalogue {
public:
    using snapshot = std::shared_ptr<catalogue const>;

    void publish(snapshot next) {
        std::lock_guard const lock(mutex_);
        current_ = std::move(next);
        version_.fetch_add(1, std::memory_order_release);
    }
    [[nodiscard]] snapshot get() const {
        std::lock_guard const lock(mutex_);
        return current_;
    }
    [[nodiscard]] std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

private:
    mutable std::mutex mutex_;
    snapshot current_{std::make_shared<catalogue const>()};
    std::atomic<std::uint64_t> version_{0};
};

/// The snapshot as one thread sees it.
class catalogue_view {
public:
    explicit catalogue_view(shared_catalogue const& source) : source_(source) { refresh(source_.version()); }

    /// The newest snapshot. Callers that go on after a co_await keep a copy.
    [[nodiscard]] shared_catalogue::snapshot const& get() {
        auto const now = source_.version();
        if (now != seen_) refresh(now);
        return current_;
    }

private:
    // A reference count of the thread's own: copies made for each request then share no cache line between threads.
    void refresh(std::uint64_t version) {
        seen_ = version;
        auto shared = source_.get();
        auto const* const plain = shared.get();
        current_ = shared_catalogue::snapshot(plain, [held = std::move(shared)](catalogue const*) {});
    }

    shared_catalogue const& source_;
    std::uint64_t seen_{0};
    shared_catalogue::snapshot current_;
};

} // namespace recruiting::public_api
