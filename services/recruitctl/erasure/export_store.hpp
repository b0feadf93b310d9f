// Everything an installation's database holds about one person, as one JSON document.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/erasure/person_store.hpp"

#include <boost/json.hpp>

namespace recruiting::recruitctl::erasure {

/// candidates with their applications and bookings, bookings with their mails; bookingRequests; agentTexts, those that
/// name the person; notIncluded, where else data may be. The fields of a record are its columns, by the API's names.
/// One snapshot of the database.
[[nodiscard]] boost::json::object export_person(pg::client& database, person const& of);

} // namespace recruiting::recruitctl::erasure
