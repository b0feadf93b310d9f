// recruiting-auth-api on one thread of the test, against a database of the test's choice.
#pragma once
#include "integration/http_client.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace recruiting::test {

class auth_api_harness {
public:
    /// Waits until it is ready, five seconds at most. workers: sealer and partitions too.
    explicit auth_api_harness(std::string const& database_url, bool workers = false);
    ~auth_api_harness();

    /// One request on a connection of its own: GET /api/v1<path> with the secret as bearer token and more lines.
    [[nodiscard]] http_answer get(std::string const& path, std::string const& secret, std::string const& lines = {},
                                  std::string const& method = "GET") const;
    [[nodiscard]] bool ready() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
