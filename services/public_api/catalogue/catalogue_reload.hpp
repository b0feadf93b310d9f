// One reload: what PostgreSQL has now, beside the snapshot before, tells which jobs have to be read; with these the
// next snapshot is made. Pure.
#pragma once
#include "public_api/catalogue/catalogue_store.hpp"

#include <map>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

class catalogue_reload {
public:
    /// asked: what was asked for; of that, what is not found has gone.
    catalogue_reload(catalogue const& base, organization_choice const& asked, std::vector<published_organization> found,
                     std::vector<job_version> const& versions);

    /// The jobs to read: new or changed. Where the name, slug or careers page of an organization has changed, its other
    /// jobs are written anew from what is known of them.
    [[nodiscard]] std::vector<uuid> const& wanted() const noexcept { return wanted_; }
    /// Its description is sanitised here.
    void add(job_of read);
    /// Nothing differs from the snapshot before.
    [[nodiscard]] bool is_unchanged() const noexcept { return changed_.empty() && gone_.empty(); }
    /// Once.
    [[nodiscard]] catalogue build(std::string_view public_url);

private:
    struct changed_organization {
        published_organization organization; // with the jobs that are kept
        std::vector<published_job> read;     // and those written anew
    };
    void compare(published_organization found, std::vector<job_version> const& versions);

    catalogue const& base_;
    std::map<uuid, changed_organization> changed_;
    std::vector<uuid> gone_;
    std::vector<uuid> wanted_;
};

} // namespace recruiting::public_api
