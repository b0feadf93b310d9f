// recruiting-auth-api on one thread of the test, against a database of the test's choice.
#pragma once
#include "integration/support/http_client.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace recruiting::auth_api {
struct settings;
}

namespace recruiting::test {

class auth_api_harness {
public:
    using adjustment = std::function<void(auth_api::settings&)>;

    /// The settings that the harness uses, with free ports.
    [[nodiscard]] static auth_api::settings settings_for(std::string const& database_url, bool workers = false,
                                                         adjustment const& adjust = {});
    /// Waits until it is ready, five seconds at most. workers: sealer, partitions and reaper too. adjust: settings that
    /// differ from the tests' usual ones.
    explicit auth_api_harness(std::string const& database_url, bool workers = false, adjustment const& adjust = {});
    /// Ends as by kill -9: what is under way stops where it is.
    ~auth_api_harness();

    /// One request on a connection of its own: GET /api/v1<path> with the secret as bearer token and more lines.
    [[nodiscard]] http_answer get(std::string const& path, std::string const& secret, std::string const& lines = {},
                                  std::string const& method = "GET") const;
    /// POST of a JSON body, which may take half a minute to be answered.
    [[nodiscard]] http_answer post(std::string const& path, std::string const& secret, std::string const& body,
                                   std::string const& lines = {}) const;
    /// These bytes as they are, and the answer that comes within half a minute.
    [[nodiscard]] http_answer send(std::string_view bytes) const;
    /// Sends the same as post and goes away when `leave` says so.
    void post_and_leave(std::string const& path, std::string const& secret, std::string const& body,
                        std::string const& lines, std::function<bool()> const& leave) const;
    [[nodiscard]] bool ready() const;

    void drain(); // as on SIGTERM
    [[nodiscard]] bool drained() const;

private:
    [[nodiscard]] std::string post_text(std::string const& path, std::string const& secret, std::string const& body,
                                        std::string const& lines) const;

    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
