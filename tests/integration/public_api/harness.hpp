// recruiting-public-api on one thread of the test, against a database of the test's choice.
#pragma once
#include "public_api/settings.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace recruiting::test {

class public_api_harness {
public:
    /// Also waits, five seconds at most, until PostgreSQL is connected and the catalogue loaded when it is said
    /// to be there. change: what is to be set otherwise.
    explicit public_api_harness(std::string const& database_url, bool database_is_there = true,
                                std::function<void(public_api::settings&)> const& change = {});
    ~public_api_harness();

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::uint16_t admin_port() const;
    [[nodiscard]] std::string metrics() const;
    [[nodiscard]] bool database_ready() const;
    /// How many snapshots of the catalogue there have been.
    [[nodiscard]] std::uint64_t snapshots() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
