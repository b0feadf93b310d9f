#include "audit/batcher.hpp"

#include "audit/event_store.hpp"
#include "core/log.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace recruiting::audit {
namespace {

timestamp minute_of(event const& of) { return std::chrono::floor<std::chrono::minutes>(of.occurred_at); }

// Only committed lets a request be answered; refused: a statement failed, perhaps for one row of the batch.
enum class insert_outcome { committed, refused, unavailable };

} // namespace

std::vector<uuid> refusal_counters::counters_of(std::span<event const> events) const {
    std::vector<uuid> out;
    for (auto const& one : events) {
        auto const found = full_.find(one.credential_id.value());
        bool const is_full = found != full_.end() && found->second == minute_of(one);
        out.push_back(is_full ? own_ : uuid{});
    }
    return out;
}

void refusal_counters::note(std::span<event const> events, std::span<uuid const> written) {
    for (auto const& one : events) {
        if (std::ranges::find(written, one.id) != written.end()) continue;
        auto const minute = minute_of(one);
        auto const [at, is_new] = full_.try_emplace(one.credential_id.value(), minute);
        at->second = std::max(at->second, minute);
        if (is_new) std::erase_if(full_, [minute](auto const& key) { return key.second < minute; });
    }
}

struct batcher::state : std::enable_shared_from_this<batcher::state> {
    state(asio::io_context& context, pg::pipeline& c, metrics::registry& registry, batcher_limits most)
        : io(context), connection(c), limits(most),
          rows_waiting(
              registry.add_gauge("recruiting_audit_rows_waiting", "Audit rows whose requests wait for the commit.")),
          rows_written(registry.add_counter("recruiting_audit_rows_written_total", "Committed audit rows.")),
          failed_writes(registry.add_counter("recruiting_audit_write_failures_total",
                                             "Batches of audit rows that could not be written.")),
          batch_seconds(registry.add_histogram("recruiting_audit_batch_duration_seconds",
                                               "Time from sending a batch of audit rows to its commit.")) {}

    void enqueue(std::unique_ptr<event> row, completion<bool> done);
    task<void> write_batches();
    task<insert_outcome> insert(std::span<event const> batch);
    task<void> find_event_type();
    task<std::size_t> insert_some_counted(std::span<event const> batch);

    asio::io_context& io;
    pg::pipeline& connection;
    batcher_limits limits;
    refusal_counters refused{random_id()};
    std::uint32_t event_type{0};             // 0: not known
    std::deque<std::unique_ptr<event>> rows; // an event has fourteen texts to move
    std::deque<completion<bool>> waiters;
    bool writing{false};
    metrics::gauge& rows_waiting;
    metrics::counter& rows_written;
    metrics::counter& failed_writes;
    metrics::histogram& batch_seconds;
};

void batcher::state::enqueue(std::unique_ptr<event> row, completion<bool> done) {
    if (rows.size() >= limits.waiting)
        return done.fail(std::make_exception_ptr(outage("too many audit rows are waiting")));
    rows.push_back(std::move(row));
    rows_waiting.add(1);
    waiters.push_back(std::move(done));
    if (writing) return;
    writing = true;
    // Spawned, so that requests of the same iteration of the event loop still join the batch.
    spawn(io, write_batches());
}

task<void> batcher::state::write_batches() {
    auto const self = shared_from_this();
    while (!rows.empty()) {
        auto const count = static_cast<std::ptrdiff_t>(std::min(rows.size(), limits.in_batch));
        std::vector<event> batch;
        batch.reserve(static_cast<std::size_t>(count));
        std::for_each(rows.begin(), rows.begin() + count, [&](auto& row) { batch.push_back(std::move(*row)); });
        std::vector<completion<bool>> done(std::make_move_iterator(waiters.begin()),
                                           std::make_move_iterator(waiters.begin() + count));
        rows.erase(rows.begin(), rows.begin() + count);
        waiters.erase(waiters.begin(), waiters.begin() + count);
        auto const written = co_await insert(batch);
        // One row that PostgreSQL refuses must not cost the others their answers: then each is written alone.
        bool const one_by_one = written == insert_outcome::refused && batch.size() > 1;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            auto outcome = written;
            if (one_by_one) outcome = co_await insert(std::span(batch).subspan(i, 1));
            rows_waiting.add(-1);
            if (outcome == insert_outcome::committed) done[i].succeed(true);
            else done[i].fail(std::make_exception_ptr(outage("the audit row could not be written")));
        }
    }
    writing = false;
}

task<insert_outcome> batcher::state::insert(std::span<event const> batch) {
    bool const counts = std::ranges::any_of(batch, &event::credential_refused);
    auto outcome = insert_outcome::committed;
    std::string why;
    auto const began = std::chrono::steady_clock::now();
    try {
        if (event_type == 0) co_await find_event_type();
        auto rows_added = batch.size();
        if (counts) {
            rows_added = co_await insert_some_counted(batch);
        } else {
            std::vector<pg::statement> segment;
            segment.push_back(insert_events(batch, event_type));
            auto const written = co_await connection.run(std::move(segment));
            static_cast<void>(written);
        }
        rows_written.add(rows_added);
        batch_seconds.observe(std::chrono::steady_clock::now() - began);
    } catch (pg::query_error const& error) {
        outcome = insert_outcome::refused;
        why = "SQLSTATE " + error.sqlstate(); // the message can quote values
    } catch (std::exception const& error) {
        outcome = insert_outcome::unavailable;
        why = error.what();
    }
    if (outcome != insert_outcome::committed) {
        event_type = 0;
        failed_writes.add();
        log::error("audit_not_written", {{"message", why}, {"rows", batch.size()}});
    }
    co_return outcome;
}

task<void> batcher::state::find_event_type() {
    std::vector<pg::statement> segment;
    segment.push_back(select_event_type());
    auto const found = co_await connection.run(std::move(segment));
    event_type = read_event_type(found.back());
}

// The rows and the counts of one batch are one transaction. Returns how many rows were added.
task<std::size_t> batcher::state::insert_some_counted(std::span<event const> batch) {
    std::vector<event> usual;
    std::vector<event> of_refused;
    for (auto const& one : batch) (one.credential_refused ? of_refused : usual).push_back(one);
    auto const counters = refused.counters_of(of_refused);
    std::vector<pg::statement> segment;
    if (!usual.empty()) segment.push_back(insert_events(usual, event_type));
    segment.push_back(count_refused_events(of_refused, event_type, counters, limits.refused_rows));
    auto const results = co_await connection.run(std::move(segment));
    std::vector<uuid> written;
    written.reserve(static_cast<std::size_t>(results.back().size()));
    for (int row = 0; row < results.back().size(); ++row) written.push_back(results.back().id(row, 0));
    refused.note(of_refused, written);
    co_return usual.size() + written.size();
}

batcher::batcher(asio::io_context& context, pg::pipeline& connection, metrics::registry& metrics, batcher_limits limits)
    : state_(std::make_shared<state>(context, connection, metrics, limits)) {}

batcher::~batcher() = default;

task<bool> batcher::write(event row) {
    auto held = std::make_unique<event>(std::move(row));
    return suspend<bool>(state_->io.get_executor(), [s = state_, r = std::move(held)](completion<bool> done) mutable {
        s->enqueue(std::move(r), std::move(done));
    });
}

} // namespace recruiting::audit
