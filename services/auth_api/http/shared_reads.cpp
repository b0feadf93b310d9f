#include "auth_api/http/shared_reads.hpp"

#include "async/task.hpp"
#include "auth_api/http/read_segment.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace recruiting::auth_api {
namespace {

// Answers come when the whole segment is done: more would save little and make the first wait.
constexpr std::size_t most_in_segment = 32;
constexpr std::size_t most_known_keys = 500'000; // some 50 MB, where there are so many

struct waiting_read {
    auth::credential presented;
    std::vector<pg::statement> statements;
    coarse_clock::time_point since;
    completion<shared_result> done;
    std::optional<rights_of_key> rights{}; // the key had when it was last seen
};
using read_queue = fair_queue<waiting_read>;
using read_batch = read_queue::batch;
using read_batches = std::deque<read_batch>; // each of one credential

bool is_key(waiting_read const& read) { return read.presented.kind == auth::principal_kind::api_key; }

// Of one organization: into one batch? Keys of one member have the same rights.
bool can_join(waiting_read const& first, waiting_read const& other) {
    if (first.presented == other.presented) return true;
    return is_key(first) && is_key(other) && first.rights && first.rights == other.rights;
}

// May other organizations' batches be in its transaction? A session sets what no key's authentication takes back, and
// composed statements are prepared for one organization.
bool can_share(read_batch const& batch) {
    return is_key(batch.items.front()) && std::ranges::none_of(batch.items, [](waiting_read const& read) {
               return std::ranges::any_of(read.statements, &pg::statement::composed);
           });
}

std::size_t count_reads(read_batches const& batches) {
    std::size_t count = 0;
    for (auto const& one : batches) count += one.items.size();
    return count;
}

// The smaller parts in which a segment that failed is tried again: each key's batch, or each read of a batch.
std::deque<read_batches> parts_of(read_batches& failed) {
    std::deque<read_batches> parts;
    if (failed.size() > 1) {
        for (auto& batch : failed) parts.emplace_back().push_back({batch.owner, std::move(batch.items)});
        return parts;
    }
    auto& only = failed.front();
    for (auto& read : only.items) {
        parts.emplace_back().push_back({only.owner, {}});
        parts.back().front().items.push_back(std::move(read));
    }
    return parts;
}

read_batches split_by_key(read_batch batch) {
    read_batches out;
    for (auto& read : batch.items) {
        auto const of_key = std::ranges::find_if(
            out, [&](read_batch const& one) { return one.items.front().presented == read.presented; });
        auto& own = of_key == out.end() ? out.emplace_back(read_batch{batch.owner, {}}) : *of_key;
        own.items.push_back(std::move(read));
    }
    return out;
}

// Reads of one cost: their connection, and the reads that wait for it.
struct lane {
    lane(pg::pipeline& on, fair_queue_limits const& limits, std::size_t in_segment, metrics::registry& registry,
         std::string const& label)
        : connection(on), queue(limits), most_together(in_segment),
          waiting(registry.add_gauge("recruiting_auth_api_reads_waiting",
                                     "Reads that wait for the turn of their organization.", label)),
          refused(registry.add_counter("recruiting_auth_api_reads_rejected_total",
                                       "Reads that were rejected because too many of their organization were waiting.",
                                       label)) {}

    pg::pipeline& connection;
    read_queue queue;
    std::size_t most_together; // reads in a segment
    metrics::gauge& waiting;
    metrics::counter& refused;
    std::size_t segments_sent{0}; // and not answered
    bool start_posted{false};
};

fair_queue_limits cheap_limits(read_queue_settings const& limits) {
    return {most_in_segment, 1, static_cast<std::size_t>(limits.waiting_reads)};
}

// One statement at a time: each has the whole of its time, and ends alone.
fair_queue_limits costly_limits(read_queue_settings const& limits) {
    return {1, 1, static_cast<std::size_t>(limits.waiting_costly_reads)};
}

} // namespace

struct shared_reads::state : std::enable_shared_from_this<shared_reads::state> {
    state(asio::io_context& context, ticker& clock, connections const& on, read_queue_settings const& limits,
          metrics::registry& metrics)
        : io(context), ticks(clock),
          longest_wait(limits.longest_wait), lanes{{{*on[0], cheap_limits(limits), most_in_segment, metrics,
                                                     R"(cost="indexed")"},
                                                    {*on[1], costly_limits(limits), 1, metrics, R"(cost="search")"},
                                                    {*on[2], costly_limits(limits), 1, metrics, R"(cost="bulk")"}}} {}

    // Each key's organization and rights (none: it was not active) when it was last seen. They decide where its reads
    // wait, with whose, and what of them is sent. What they show is decided by the key as it is read with them.
    // Unknown keys share one queue: a flood of made-up ones gets no more than an organization.
    struct last_seen {
        uuid organization{};
        std::optional<rights_of_key> rights{};
    };
    [[nodiscard]] last_seen when_seen(digest const& secret_hash) const;
    [[nodiscard]] std::vector<reads_of_key> asked_by(read_batches const& batches) const;
    void enqueue(waiting_read read, read_cost cost);
    void start_segments(lane& in);
    task<void> run_segment(lane& in, read_batches batches, std::vector<uuid> owners);
    task<void> run_batches(lane& in, read_batches& batches);
    [[nodiscard]] read_batches deliver(read_batches& batches, std::vector<answers_of_key> answers);
    task<shared_result> learn_and_run(auth::credential presented, std::vector<pg::statement> statements,
                                      read_cost cost);
    task<shared_result> wait(auth::credential const& presented, std::vector<pg::statement> statements, read_cost cost);
    void refuse_expired(coarse_clock::time_point now);

    asio::io_context& io;
    ticker& ticks;
    std::chrono::milliseconds longest_wait;
    std::array<lane, 3> lanes;
    std::map<digest, last_seen> known_keys;
    ticker::subscription subscription{};
};

shared_reads::state::last_seen shared_reads::state::when_seen(digest const& secret_hash) const {
    auto const known = known_keys.find(secret_hash);
    return known == known_keys.end() ? last_seen{} : known->second;
}

// Expected is what is known now, not what was when the read began to wait: reads that run again would do so forever.
std::vector<reads_of_key> shared_reads::state::asked_by(read_batches const& batches) const {
    std::vector<reads_of_key> out;
    for (auto const& batch : batches) {
        reads_of_key key{batch.items.front().presented, {}};
        for (auto const& read : batch.items) key.reads.emplace_back(read.statements);
        key.expected = when_seen(key.presented.hash).rights;
        out.push_back(std::move(key));
    }
    return out;
}

void shared_reads::state::enqueue(waiting_read read, read_cost cost) {
    auto& in = lanes.at(static_cast<std::size_t>(cost));
    auto const [owner, rights] = when_seen(read.presented.hash);
    if (in.queue.is_full()) return read.done.fail(std::make_exception_ptr(outage("too many reads are waiting")));
    if (owner != uuid{} && !read.statements.empty() && in.queue.is_full_for(owner)) {
        in.refused.add();
        auto const limit = static_cast<std::int64_t>(in.queue.limits().waiting_per_owner);
        return read.done.fail(std::make_exception_ptr(too_many_waiting(limit)));
    }
    read.rights = rights;
    in.queue.push(owner, std::move(read));
    in.waiting.add(1);
    if (std::exchange(in.start_posted, true)) return;
    // Posted, so that requests of the same iteration of the event loop still join.
    asio::post(io, [self = shared_from_this(), &in] {
        in.start_posted = false;
        self->start_segments(in);
    });
}

// A segment is sent when the one before is answered. Reads that come meanwhile share it, so that it costs one
// authentication and one commit however many they are, and can still be overtaken.
void shared_reads::state::start_segments(lane& in) {
    read_batches together;
    std::vector<uuid> owners; // of their batches in the queue
    auto const send = [&] {
        if (together.empty()) return;
        ++in.segments_sent;
        spawn(io, run_segment(in, std::exchange(together, {}), std::exchange(owners, {})));
    };
    while (in.segments_sent == 0) {
        auto batch = in.queue.start_batch(in.most_together, can_join);
        if (!batch) break;
        in.waiting.add(-static_cast<std::int64_t>(batch->items.size()));
        bool const shares = can_share(*batch);
        if (!shares || count_reads(together) + batch->items.size() > in.most_together) send();
        owners.push_back(batch->owner);
        std::ranges::move(split_by_key(std::move(*batch)), std::back_inserter(together));
        if (!shares) send();
    }
    send();
}

task<void> shared_reads::state::run_segment(lane& in, read_batches batches, std::vector<uuid> owners) {
    auto const self = shared_from_this();
    co_await run_batches(in, batches);
    --in.segments_sent;
    for (auto const& owner : owners) in.queue.finish_batch(owner);
    start_segments(in);
}

// Returns what must be read again, because the key's rights have changed since it was last seen.
read_batches shared_reads::state::deliver(read_batches& batches, std::vector<answers_of_key> answers) {
    read_batches again;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        auto const& principal = answers[i].principal;
        auto& reads = batches[i].items;
        if (principal) {
            if (known_keys.size() >= most_known_keys) known_keys.clear();
            std::optional<rights_of_key> rights;
            if (principal->state == auth::credential_state::active) rights = rights_of(*principal);
            known_keys.insert_or_assign(reads.front().presented.hash, last_seen{principal->organization_id, rights});
        }
        if (!answers[i].complete) {
            again.push_back({batches[i].owner, std::move(reads)});
            continue;
        }
        for (std::size_t n = 0; n < reads.size(); ++n)
            reads[n].done.succeed({principal, std::move(answers[i].reads[n])});
    }
    return again;
}

task<void> shared_reads::state::run_batches(lane& in, read_batches& batches) {
    std::exception_ptr failure;
    bool statement_failed = false;
    std::vector<answers_of_key> answers;
    read_segment segment(asked_by(batches));
    try {
        auto const results = co_await in.connection.run(segment.take_statements());
        answers = segment.answers(results);
    } catch (pg::query_error const&) {
        statement_failed = true;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure) {
        auto again = deliver(batches, std::move(answers));
        if (!again.empty()) co_await run_batches(in, again);
        co_return;
    }
    if (!statement_failed || count_reads(batches) == 1) {
        for (auto& batch : batches)
            for (auto& read : batch.items) read.done.fail(failure);
        co_return;
    }
    // One caller's statement ended the transaction of all: each key's reads run by themselves, then each read.
    for (auto& part : parts_of(batches)) co_await run_batches(in, part);
}

task<shared_result> shared_reads::state::wait(auth::credential const& presented, std::vector<pg::statement> statements,
                                              read_cost cost) {
    waiting_read read{presented, std::move(statements), ticks.now(), {}};
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
    for (auto& in : lanes) {
        auto expired = in.queue.take_expired([&](waiting_read const& read) { return now - read.since > longest_wait; });
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
