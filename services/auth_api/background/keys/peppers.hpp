// What a process does about the pepper beside the requests: keys that were used move to the current pepper, and whether
// the database's keys are of another one is known (proto-docs/secrets.md).
#pragma once
#include "auth/authenticate_store.hpp"
#include "auth/pepper.hpp"
#include "pg/pipeline.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace recruiting::auth_api {

/// Moves keys off the request's path, some seconds after their use. One per thread. What a crash loses moves when it is
/// used again.
class key_moves {
public:
    /// connection is the thread's audit connection and outlives this.
    key_moves(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers,
              std::chrono::milliseconds interval = std::chrono::seconds{5});
    ~key_moves();

    /// For a request that this key authenticated. PostgreSQL moves it if the installation's pepper is the current one.
    void note(auth::principal const& caller, auth::credential const& presented);
    /// Moves what is noted. The interval does it otherwise.
    [[nodiscard]] task<void> flush();

private:
    struct state;
    std::shared_ptr<state> state_;
};

/// Compares the peppers with the database's at start and every two seconds, as another database may be reached at any
/// time. One per process.
class pepper_watch {
public:
    /// connection outlives this.
    pepper_watch(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers);
    ~pepper_watch();

    /// Why keys could not be recognized, in words; empty: they are the database's.
    [[nodiscard]] std::string fault() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
