#include "auth_api/http/shared_reads.hpp"

#include "async/task.hpp"

#include <algorithm>
#include <map>

namespace recruiting::auth_api {
namespace {

// Answers come when the whole segment is done: more would save little and make the first wait.
constexpr std::size_t most_in_segment = 32;
constexpr std::size_t most_known_keys = 500'000; // some 50 MB, where there are so many

using waiting_reads = fair_queue<pending_read>;

bool is_key(pending_read const& read) { return read.presented.kind == auth::principal_kind::api_key; }

// Reads of one organization that take the same turn. Keys of one member have the same rights.
bool can_join(pending_read const& first, pending_read const& other) {
    if (first.presented == other.presented) return true;
    return is_key(first) && is_key(other) && first.expected && first.expected == other.expected;
}

// May other organizations' reads be in its transaction? A session sets what no key's authentication takes back, and
// composed statements are prepared for one organization.
bool can_share(waiting_reads::turn const& turn) {
    return is_key(turn.items.front()) && std::ranges::none_of(turn.items, [](pending_read const& read) {
               return std::ranges::any_of(read.statements, &pg::statement::composed);
           });
}

// The batch is who goes together: the reads of one segment, and the organizations whose turn it is with them.
struct read_batch {
    std::vector<pending_read> reads;
    std::vector<uuid> owners;

    void add(waiting_reads::turn turn) {
        std::ranges::move(turn.items, std::back_inserter(reads));
        owners.push_back(turn.owner);
    }
};

// The queue is who waits: the reads of one cost, and the connection that runs them.
struct read_queue {
    read_queue(pg::pipeline& on, std::size_t in_segment, std::int64_t waiting_per_owner, metrics::registry& registry,
               std::string const& label)
        : connection(on), most_together(in_segment),
          reads({in_segment, 1, static_cast<std::size_t>(waiting_per_owner)}),
          waiting(registry.add_gauge("recruiting_auth_api_reads_waiting",
                                     "Reads that wait for the turn of their organization.", label)),
          refused(registry.add_counter("recruiting_auth_api_reads_rejected_total",
                                       "Reads that were rejected because too many of their organization were waiting.",
                                       label)) {}

    pg::pipeline& connection;
    std::size_t most_together; // reads in a segment
    waiting_reads reads;
    metrics::gauge& waiting;
    metrics::counter& refused;
    std::size_t batches_sent{0}; // and not answered
    bool start_posted{false};
};

} // namespace

struct shared_reads::state : std::enable_shared_from_this<shared_reads::state> {
    // A costly statement runs by itself: it has the whole of its time, and ends alone.
    state(asio::io_context& context, ticker& clock, connections const& on, read_queue_settings const& limits,
          metrics::registry& metrics)
        : io(context), ticks(clock), longest_wait(limits.longest_wait),
          queues{{{*on[0], most_in_segment, limits.waiting_reads, metrics, R"(cost="indexed")"},
                  {*on[1], 1, limits.waiting_costly_reads, metrics, R"(cost="search")"},
                  {*on[2], 1, limits.waiting_costly_reads, metrics, R"(cost="bulk")"}}} {}

    // A key's organization, and its rights if it was active, when it was last seen. They decide where its reads wait,
    // with whose, and what of them is sent. What they show is decided by the key as it is read with them.
    // Unknown keys share one queue: a flood of made-up ones gets no more than an organization.
    struct last_seen {
        uuid organization{};
        std::optional<rights_of_key> rights{};
    };
    [[nodiscard]] last_seen when_seen(digest const& secret_hash) const;
    void remember(digest const& secret_hash, auth::principal const& found);
    void enqueue(pending_read read, read_cost cost);
    void start_batches(read_queue& in);
    task<void> run_batch(read_queue& in, read_batch batch);
    task<std::vector<pending_read>> run_segment(pg::pipeline& on, std::vector<pending_read> reads);
    [[nodiscard]] std::vector<pending_read> deliver(std::vector<pending_read>& reads, std::vector<read_answer> answers);
    task<shared_result> learn_and_run(auth::credential presented, std::vector<pg::statement> statements,
                                      read_cost cost);
    task<shared_result> wait(auth::credential const& presented, std::vector<pg::statement> statements, read_cost cost);
    void refuse_expired(coarse_clock::time_point now);

    asio::io_context& io;
    ticker& ticks;
    std::chrono::milliseconds longest_wait;
    std::array<read_queue, 3> queues; // of each read_cost
    std::map<digest, last_seen> known_keys;
    ticker::subscription subscription{};
};

shared_reads::state::last_seen shared_reads::state::when_seen(digest const& secret_hash) const {
    auto const known = known_keys.find(secret_hash);
    return known == known_keys.end() ? last_seen{} : known->second;
}

void shared_reads::state::remember(digest const& secret_hash, auth::principal const& found) {
    if (known_keys.size() >= most_known_keys) known_keys.clear();
    last_seen seen{found.organization_id, std::nullopt};
    if (found.state == auth::credential_state::active) seen.rights = rights_of(found);
    known_keys.insert_or_assign(secret_hash, seen);
}

void shared_reads::state::enqueue(pending_read read, read_cost cost) {
    auto& in = queues.at(static_cast<std::size_t>(cost));
    auto const [owner, rights] = when_seen(read.presented.hash);
    if (in.reads.is_full()) return read.done.fail(std::make_exception_ptr(outage("too many reads are waiting")));
    if (owner != uuid{} && !read.statements.empty() && in.reads.is_full_for(owner)) {
        in.refused.add();
        auto const limit = static_cast<std::int64_t>(in.reads.limits().waiting_per_owner);
        return read.done.fail(std::make_exception_ptr(too_many_waiting(limit)));
    }
    read.expected = rights;
    in.reads.push(owner, std::move(read));
    in.waiting.add(1);
    if (std::exchange(in.start_posted, true)) return;
    // Posted, so that requests of the same iteration of the event loop still join.
    asio::post(io, [self = shared_from_this(), &in] {
        in.start_posted = false;
        self->start_batches(in);
    });
}

// A batch is sent when the one before is answered. Reads that come meanwhile share it, so that it costs one
// authentication and one commit however many they are, and can still be overtaken. A turn that shares with no other
// organization is a batch of its own, right behind the others.
void shared_reads::state::start_batches(read_queue& in) {
    if (in.batches_sent > 0) return;
    read_batch together;
    read_batch apart;
    while (together.reads.size() < in.most_together && apart.reads.empty()) {
        auto turn = in.reads.start_turn(in.most_together - together.reads.size(), can_join);
        if (!turn) break;
        in.waiting.add(-static_cast<std::int64_t>(turn->items.size()));
        (can_share(*turn) ? together : apart).add(std::move(*turn));
    }
    for (auto* const batch : {&together, &apart}) {
        if (batch->reads.empty()) continue;
        ++in.batches_sent;
        spawn(io, run_batch(in, std::move(*batch)));
    }
}

// What its segment did not answer runs again, each read alone and in full: one caller's failing statement ends the
// transaction of all, and a key whose rights have changed was read with others' rights.
task<void> shared_reads::state::run_batch(read_queue& in, read_batch batch) {
    auto const self = shared_from_this();
    auto again = co_await run_segment(in.connection, std::move(batch.reads));
    for (auto& read : again) {
        read.expected.reset();
        std::vector<pending_read> alone;
        alone.push_back(std::move(read));
        auto const answered = co_await run_segment(in.connection, std::move(alone));
        static_cast<void>(answered);
    }
    --in.batches_sent;
    for (auto const& owner : batch.owners) in.reads.finish_turn(owner);
    start_batches(in);
}

// Returns the reads that must run again.
task<std::vector<pending_read>> shared_reads::state::run_segment(pg::pipeline& on, std::vector<pending_read> reads) {
    read_segment segment(reads);
    std::vector<read_answer> answers;
    std::exception_ptr failure;
    try {
        auto const results = co_await on.run(segment.take_statements());
        answers = segment.answers(results);
    } catch (pg::query_error const&) {
        if (reads.size() > 1) co_return std::move(reads);
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure) co_return deliver(reads, std::move(answers));
    for (auto& read : reads) read.done.fail(failure);
    co_return std::vector<pending_read>();
}

std::vector<pending_read> shared_reads::state::deliver(std::vector<pending_read>& reads,
                                                       std::vector<read_answer> answers) {
    std::vector<pending_read> again;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        auto& [result, complete] = answers[i];
        if (result.principal) remember(reads[i].presented.hash, *result.principal);
        if (complete) reads[i].done.succeed(std::move(result));
        else again.push_back(std::move(reads[i]));
    }
    return again;
}

task<shared_result> shared_reads::state::wait(auth::credential const& presented, std::vector<pg::statement> statements,
                                              read_cost cost) {
    pending_read read{presented, std::move(statements), {}, ticks.now(), {}};
    return suspend<shared_result>(
        io.get_executor(), [s = shared_from_this(), r = std::move(read), cost](completion<shared_result> done) mutable {
            r.done = std::move(done);
            s->enqueue(std::move(r), cost);
        });
}

// The organization must be known before a read may hold a connection for long.
task<shared_result> shared_reads::state::learn_and_run(auth::credential presented,
                                                       std::vector<pg::statement> statements, read_cost cost) {
    auto const self = shared_from_this();
    std::vector<pg::statement> none;
    auto got = co_await wait(presented, std::move(none), read_cost::indexed);
    if (got.principal) got = co_await wait(presented, std::move(statements), cost);
    co_return got;
}

void shared_reads::state::refuse_expired(coarse_clock::time_point now) {
    for (auto& in : queues) {
        auto expired = in.reads.take_expired([&](pending_read const& read) { return now - read.since > longest_wait; });
        in.waiting.add(-static_cast<std::int64_t>(expired.size()));
        for (auto& read : expired)
            read.done.fail(std::make_exception_ptr(waited_too_long("its turn did not come in time")));
    }
}

shared_reads::shared_reads(asio::io_context& context, ticker& clock, connections const& on,
                           read_queue_settings const& limits, metrics::registry& metrics)
    : state_(std::make_shared<state>(context, clock, on, limits, metrics)) {
    state_->subscription =
        clock.subscribe([s = state_.get()](coarse_clock::time_point now) { s->refuse_expired(now); });
}

shared_reads::~shared_reads() { state_->ticks.unsubscribe(state_->subscription); }

task<shared_result> shared_reads::run(auth::credential const& presented, std::vector<pg::statement> statements,
                                      read_cost cost) {
    if (cost != read_cost::indexed && state_->when_seen(presented.hash).organization == uuid{})
        return state_->learn_and_run(presented, std::move(statements), cost);
    return state_->wait(presented, std::move(statements), cost);
}

} // namespace recruiting::auth_api
