#include "auth_api/shared_reads.hpp"

#include <algorithm>
#include <iterator>

namespace recruiting::auth_api {
namespace {

// Answers come when the whole segment is done: more would save little and make the first wait.
constexpr std::size_t most_in_segment = 16;

struct waiting_read {
    digest secret_hash;
    std::vector<pg::statement> statements;
    completion<shared_result> done;
};
using read_group = std::vector<waiting_read>;

std::vector<pg::statement> segment_of(read_group const& group) {
    std::vector<pg::statement> segment;
    segment.reserve(1 + group.size() * 2);
    segment.push_back(auth::authenticate(group.front().secret_hash));
    for (auto const& read : group) segment.insert(segment.end(), read.statements.begin(), read.statements.end());
    return segment;
}

void deliver(read_group& group, std::vector<pg::rows> results) {
    std::shared_ptr<auth::principal const> who;
    if (auto found = auth::read_principal(results.front())) who = std::make_shared<auth::principal>(std::move(*found));
    auto next = std::make_move_iterator(results.begin()) + 1;
    for (auto& read : group) {
        auto const end = next + static_cast<std::ptrdiff_t>(read.statements.size());
        read.done.succeed({who, std::vector<pg::rows>(next, end)});
        next = end;
    }
}

// The reads of one key, taken out of the front of all that wait; the others keep their order.
read_group take_group(std::vector<waiting_read>& waiting) {
    auto const key = waiting.front().secret_hash;
    read_group group;
    std::vector<waiting_read> others;
    for (auto& read : waiting) {
        bool const joins = read.secret_hash == key && group.size() < most_in_segment;
        (joins ? group : others).push_back(std::move(read));
    }
    waiting = std::move(others);
    return group;
}

} // namespace

struct shared_reads::state : std::enable_shared_from_this<shared_reads::state> {
    state(asio::io_context& context, pg::pipeline& c) : io(context), connection(c) {}

    void enqueue(waiting_read read);
    void send();
    task<void> run_group(read_group group);

    asio::io_context& io;
    pg::pipeline& connection;
    std::vector<waiting_read> waiting;
};

void shared_reads::state::enqueue(waiting_read read) {
    waiting.push_back(std::move(read));
    // Sent through the queue: requests of this turn of the loop still join.
    if (waiting.size() == 1) asio::post(io, [self = shared_from_this()] { self->send(); });
}

void shared_reads::state::send() {
    while (!waiting.empty()) spawn(io, run_group(take_group(waiting)));
}

task<void> shared_reads::state::run_group(read_group group) {
    auto const self = shared_from_this();
    std::exception_ptr failure;
    bool statement_failed = false;
    auto segment = segment_of(group);
    try {
        auto results = co_await connection.run(std::move(segment));
        deliver(group, std::move(results));
    } catch (pg::query_error const&) {
        statement_failed = true;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure) co_return;
    if (!statement_failed || group.size() == 1) {
        for (auto& read : group) read.done.fail(failure);
        co_return;
    }
    // One caller's statement ended the transaction of all: each runs by itself.
    for (auto& read : group) {
        read_group alone;
        alone.push_back(std::move(read));
        spawn(io, run_group(std::move(alone)));
    }
}

shared_reads::shared_reads(asio::io_context& context, pg::pipeline& connection)
    : state_(std::make_shared<state>(context, connection)) {}

shared_reads::~shared_reads() = default;

task<shared_result> shared_reads::run(digest const& secret_hash, std::vector<pg::statement> statements) {
    waiting_read read{secret_hash, std::move(statements), {}};
    return suspend<shared_result>(state_->io.get_executor(),
                                  [s = state_, r = std::move(read)](completion<shared_result> done) mutable {
                                      r.done = std::move(done);
                                      s->enqueue(std::move(r));
                                  });
}

} // namespace recruiting::auth_api
