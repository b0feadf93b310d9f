// Runs authenticated statements. What one turn of the loop brought with the same key goes to PostgreSQL as one segment
// that authenticates once: [authenticate] [statements of A] [statements of B] … Sync. The key is still judged as it is
// after the requests arrived, in the transaction that reads. One a thread; read.cpp is its only user.
#pragma once
#include "async/completion.hpp"
#include "auth/authenticate_store.hpp"
#include "pg/pipeline.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace recruiting::auth_api {

struct shared_result {
    std::shared_ptr<auth::principal const> who; // null: no key has that secret
    std::vector<pg::rows> rows;                 // of the caller's own statements, in their order
};

class shared_reads {
public:
    shared_reads(asio::io_context& context, pg::pipeline& connection);
    ~shared_reads();

    /// Throws as pg::pipeline::run: what fails in one caller's statements is not seen by another.
    [[nodiscard]] task<shared_result> run(digest const& secret_hash, std::vector<pg::statement> statements);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
