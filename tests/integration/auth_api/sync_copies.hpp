// Copies of lists as a warehouse keeps them: made and brought up to date by syncToken alone, and the lists themselves
// to compare them with.
#pragma once
#include "integration/auth_api/harness.hpp"
#include "pg/client.hpp"

#include <boost/json.hpp>
#include <map>
#include <string>
#include <vector>

namespace recruiting::test {

using records = std::map<std::string, std::string>; // id → the record as JSON

class sync_copy {
public:
    /// path: with its other parameters, such as "/candidates?include=applications".
    sync_copy(auth_api_harness const& service, std::string secret, std::string path, int limit)
        : service_(&service), secret_(std::move(secret)), path_(std::move(path)), limit_(limit) {}

    /// One request. True when there is more right now. Begins anew when the token can't be used any more; keeps the
    /// copy as it is while the list is out of the member's reach.
    bool step();
    /// Steps to the end; the records as they came, those that are gone with their id and deletedAt.
    std::vector<boost::json::object> round();
    /// Rounds until the copy has all that committed before the call, or is out of reach; their records in turn. One
    /// round may leave changes to the next: as long as a transaction that is older runs, and one of another test's
    /// database counts while PostgreSQL does not show whose it is.
    std::vector<boost::json::object> catch_up(pg::client& client);
    /// The list, walked by pages; false: it is out of the member's reach now.
    [[nodiscard]] bool walk(records& list) const;

    [[nodiscard]] records const& held() const { return held_; }
    [[nodiscard]] std::string const& token() const { return token_; }
    [[nodiscard]] std::string const& path() const { return path_; }
    [[nodiscard]] int restarts() const { return restarts_; }

private:
    [[nodiscard]] http_answer get(std::string const& more) const;

    auth_api_harness const* service_;
    std::string secret_;
    std::string path_;
    int limit_;
    std::string token_;
    records held_;
    std::vector<boost::json::object> seen_;
    int restarts_{0};
    bool reachable_{true};
};

/// The number that the next transaction will take.
[[nodiscard]] std::uint64_t next_transaction(pg::client& client);
/// Below this number, the copy that this token belongs to has every transaction's changes; its round has ended.
[[nodiscard]] std::uint64_t synced_up_to(std::string_view token);

} // namespace recruiting::test
