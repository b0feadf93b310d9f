#include "recruitctl/erasure/person_store.hpp"

#include "mail/address.hpp"
#include "recruitctl/command.hpp"

#include <algorithm>

namespace recruiting::recruitctl::erasure {
namespace {

// Deleted candidates are in no index of addresses: all of the organization's are read for one.
constexpr std::string_view select_records = R"(
SELECT id, name, email, email_key FROM recruiting.candidates WHERE organization_id = $1 AND id = $2
UNION ALL
SELECT id, name, email, email_key FROM recruiting.candidates WHERE organization_id = $1 AND email_key = $3)";

constexpr std::string_view select_related_ids = R"(
SELECT id FROM recruiting.applications WHERE candidate_id = ANY ($1::uuid[])
UNION ALL SELECT id FROM recruiting.bookings WHERE candidate_id = ANY ($1::uuid[]))";

// They hold addresses as they were typed, which PostgreSQL does not fold. The worker leaves few.
constexpr std::string_view select_waiting_requests =
    "SELECT id, email FROM recruiting.booking_requests WHERE organization_id = $1";

void add_address(person& to, std::string const& email, std::string const& key) {
    to.named.add_address(email);
    to.named.add_address(key);
    if (std::ranges::find(to.address_keys, key) == to.address_keys.end()) to.address_keys.push_back(key);
}

} // namespace

person find_person(pg::client& database, uuid const& organization_id, std::optional<uuid> const& id,
                   std::optional<std::string> const& address, std::vector<std::string> const& more_names) {
    person found{organization_id, {}, {}, {}};
    auto const wanted_key = address ? mail::canonical_address(*address) : std::nullopt;
    if (address && !wanted_key) throw usage_error("--email must be an e-mail address");
    auto const rows =
        database.run(select_records, pg::params{}.id(organization_id).optional_id(id).optional_text(wanted_key));
    for (auto row : rows) {
        std::string name;
        uuid candidate;
        std::optional<std::string> email, key;
        row.read(candidate, name, email, key);
        found.candidates.push_back(candidate);
        found.named.add_id(candidate);
        found.named.add_name(name); // of an erased one it has no letter
        if (email && key) add_address(found, *email, *key);
    }
    if (found.candidates.empty()) throw failure("the organization has no such candidate");
    if (address) add_address(found, *address, *wanted_key);
    auto const related = database.run(select_related_ids, pg::params{}.id_array(found.candidates));
    for (auto row : related) found.named.add_id(row.id());
    for (auto const& name : more_names) found.named.add_name(name);
    return found;
}

std::vector<uuid> find_booking_requests(pg::client& database, person const& of) {
    std::vector<uuid> found;
    auto const waiting = database.run(select_waiting_requests, pg::params{}.id(of.organization_id));
    for (auto row : waiting) {
        auto const id = row.id();
        auto const key = mail::canonical_address(row.text());
        if (key && std::ranges::find(of.address_keys, *key) != of.address_keys.end()) found.push_back(id);
    }
    return found;
}

} // namespace recruiting::recruitctl::erasure
