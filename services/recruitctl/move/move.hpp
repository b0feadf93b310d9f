// Export and import of an organization, as operations on a database and a stream.
#pragma once
#include "core/ids.hpp"
#include "pg/client.hpp"
#include "recruitctl/move/store.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

struct moved_organization {
    uuid id;
    std::string slug, name;
};

struct move_report {
    moved_organization organization;
    std::int64_t rows{0};
    store::audit_end audit; // the last row of the chain
};

struct export_options {
    std::string pepper;
    std::chrono::milliseconds settle{}; // how long a request that began before the freeze may take
    std::chrono::milliseconds wait{};   // for what is not finished, above that
    std::function<void(std::string const&)> report{};
};

/// Waits for what began before the freeze, and writes the organization as it is in one moment. Throws failure when it
/// is not frozen, when something is not finished in time, and when something was written meanwhile: the stream then has
/// no end that import accepts.
move_report export_organization(pg::client& database, moved_organization const& which, export_options const& how,
                                std::ostream& to);

struct import_options {
    std::string pepper;
    bool other_pepper{false}; // import although the keys will not work here
    std::function<void(std::string const&)> report{};
};

/// All in one transaction, but for empty partitions of the audit log. Throws failure, and nothing is changed.
move_report import_organization(pg::client& database, import_options const& how, std::istream& from);

/// Tells one pepper from another and reveals neither: a digest under it, in hex.
[[nodiscard]] std::string pepper_mark(std::string_view pepper);

} // namespace recruiting::recruitctl
