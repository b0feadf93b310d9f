// Makes the next snapshot from the last one: organizations are put in or taken out whole, all others are shared with
// the snapshot before. Pure; used by the keeper, and by tests that need a catalogue.
#pragma once
#include "http/json_writer.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/catalogue/catalogue_store.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// A published job as JSON: the schema publicJob of proto-docs/openapi/public_api.yaml.
void write_job(http::json_writer& json, published_organization const& organization, published_job const& job);

/// GET /jobs/{id}'s body; and in it the job alone, as lists show it.
[[nodiscard]] std::string job_body(published_organization const& organization, published_job const& job);
[[nodiscard]] std::string_view job_in_body(std::string_view body) noexcept;

class catalogue_builder {
public:
    /// public_url: where browsers reach this installation, for jobs of organizations without a careers page.
    catalogue_builder(catalogue const& base, std::string_view public_url) : base_(base), public_url_(public_url) {}

    /// organization.jobs: those kept as they are, of an earlier snapshot. read: those that are new or changed, or of
    /// which the organization has changed what they show.
    catalogue_builder& put(published_organization organization, std::vector<packed_job> read);
    catalogue_builder& remove(uuid const& organization);
    [[nodiscard]] catalogue const& base() const noexcept { return base_; }
    /// Nothing was put in or taken out.
    [[nodiscard]] bool is_unchanged() const noexcept { return changed_.empty(); }
    /// To be called once. A slug that two organizations hold (one of them was renamed and not read again yet) names the
    /// one that was put in.
    [[nodiscard]] catalogue build();

private:
    catalogue const& base_;
    std::string public_url_;
    std::map<uuid, std::shared_ptr<published_organization const>> changed_; // null: taken out
};

/// One reload, or one page of it: comparing what PostgreSQL has now with the snapshot before shows which jobs have to
/// be read; with these the next snapshot is made.
class catalogue_reload {
public:
    /// asked: what was asked for; of that, what is not found has gone.
    catalogue_reload(catalogue const& base, organization_choice const& asked, std::vector<published_organization> found,
                     std::vector<job_version> const& versions);

    /// The jobs to read: new or changed. Where the name, slug, careers page or apply URL of an organization has
    /// changed, its other jobs are written again from what is known of them.
    [[nodiscard]] std::vector<uuid> const& wanted() const noexcept { return wanted_; }
    /// Its description is sanitised here, and packed: the memory of one job at a time is its full size.
    void add(job_of read);
    /// To be called once: puts what differs from the snapshot before into the builder of the next.
    void put_into(catalogue_builder& next);

private:
    struct changed_organization {
        published_organization organization; // with the jobs that are kept
        std::vector<packed_job> read;        // and those whose organization has changed
    };
    void compare(published_organization found, std::vector<job_version> const& versions);

    catalogue const& base_;
    std::map<uuid, changed_organization> changed_;
    std::vector<uuid> gone_;
    std::vector<uuid> wanted_;
};

} // namespace recruiting::public_api
