// A published job as the catalogue holds it: what lists compare as values, its other fields as one text, and its
// description compressed. Ten thousand jobs are some 15 MB. Pure.
#pragma once
#include "public_api/catalogue/published_job.hpp"

#include <memory>
#include <optional>
#include <string>

namespace recruiting::public_api {

struct packed_job {
    packed_job(published_job const& job); // NOLINT(google-explicit-constructor): the same job in another form

    uuid id;
    timestamp published_at;
    std::optional<timestamp> closes_at; // not shown from then on: ask is_open
    timestamp updated_at;
    std::string etag;        // of GET /jobs/{id}'s response; set by the builder, for it depends on the organization
    std::string facts;       // all other fields but the description, one after the other
    std::string description; // HTML and text, compressed together

    [[nodiscard]] bool is_open(timestamp now) const noexcept { return !closes_at || *closes_at > now; }
};

using job_pointer = std::shared_ptr<packed_job const>;

/// The job without its description, and without what its organization adds: public_url and apply_url.
[[nodiscard]] published_job facts_of(packed_job const& job);
void unpack_description(packed_job const& from, published_job& into);

} // namespace recruiting::public_api
