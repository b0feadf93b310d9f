// A person in one organization: the candidates that are theirs, and what names them elsewhere.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/erasure/naming.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl::erasure {

struct person {
    uuid organization_id;
    std::vector<uuid> candidates;
    std::vector<std::string> address_keys; // canonical
    naming named;                          // by the candidates, their applications and bookings, addresses and names
};

/// One candidate, or all with the address; deleted and erased ones too. more_names: by which texts name the person
/// besides. Throws failure when the organization has no such candidate.
[[nodiscard]] person find_person(pg::client& database, uuid const& organization_id, std::optional<uuid> const& id,
                                 std::optional<std::string> const& address, std::vector<std::string> const& more_names);

/// The requests for interviews, not yet processed, that give one of the person's addresses.
[[nodiscard]] std::vector<uuid> find_booking_requests(pg::client& database, person const& of);

} // namespace recruiting::recruitctl::erasure
