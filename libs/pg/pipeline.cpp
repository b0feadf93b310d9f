#include "pg/pipeline.hpp"

#include "core/log.hpp"
#include "pg/connect.hpp"
#include "pg/heartbeat.hpp"
#include "pg/schema_store.hpp"
#include "pg/segment.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <libpq-fe.h>

namespace recruiting::pg {
namespace {

constexpr std::chrono::milliseconds longest_reconnect_pause{1'000};
// Connections given up while the server works on them: a further one waits, but not for ever. A cancel may fail.
constexpr int most_abandoned = 3;

std::exception_ptr lost(std::string const& why) { return std::make_exception_ptr(connection_lost(why)); }

} // namespace

struct pipeline::state : std::enable_shared_from_this<pipeline::state> {
    state(asio::io_context& context, ticker& clock, pipeline_settings s)
        : io(context), ticks(clock), settings(std::move(s)), socket(context),
          vitals(settings.schema, settings.servers) {
        settings.servers->read(settings.url);
    }

    task<void> keep_connected();
    task<void> read_answers();
    void submit(completion<segment_results> done, std::vector<statement> const& segment);
    void enqueue(segment_in_flight entry, std::vector<statement> const& segment);
    void prepare_session();
    void beat();
    void take_beat(segment_in_flight& answer);
    bool read_some();
    void flush();
    bool take_results();
    void finish_front();
    void lose(std::string const& why);
    void check_deadline(coarse_clock::time_point now);

    asio::io_context& io;
    ticker& ticks;
    pipeline_settings settings;
    connection_handle connection;
    std::size_t host{0}; // known_servers' index of it
    asio::posix::basic_stream_descriptor<io_executor> socket;
    std::deque<segment_in_flight> waiting;
    abandoned_count const abandoned{std::make_shared<std::atomic<int>>(0)};
    std::vector<segment_in_flight> awaiting_schema; // failed, perhaps for an old schema: wait for the next heartbeat
    heartbeat vitals;
    coarse_clock::time_point heard; // when the server sent something
    prepared_statements prepared;
    coarse_clock::time_point front_since; // since when PostgreSQL works at what waits in front: for its deadline
    ticker::subscription subscription{};
    std::function<void(std::string_view)> on_notify;
    std::function<void()> on_connect;
    bool ready{false}; // connected
    bool stopped{false};
    bool flush_waiting{false};
};

task<void> pipeline::state::keep_connected() {
    auto const self = shared_from_this();
    connect_request const request{settings.url, settings.application_name, settings.connect_timeout};
    auto pause = std::chrono::milliseconds{50};
    while (!stopped) {
        for (auto const since = ticks.now();
             !stopped && *abandoned >= most_abandoned && ticks.now() - since < std::chrono::seconds{30};)
            co_await sleep_for(longest_reconnect_pause);
        auto attempt = co_await connect(ticks, request, *settings.servers, socket);
        connection = std::move(attempt.connection);
        if (stopped) break;
        bool served = false;
        if (connection && PQenterPipelineMode(connection.get()) == 1) {
            host = attempt.host;
            vitals.connected(host, PQbackendPID(connection.get()));
            heard = ticks.now();
            ready = true;
            if (settings.counts) settings.counts->connections.add(1);
            log::info("postgres_connected", {{"application", settings.application_name}});
            prepare_session();
            beat();
            co_await read_answers();
            served = vitals.served();
        } else if (!attempt.why.empty()) {
            if (settings.counts) settings.counts->connect_failures.add();
            log::warning("postgres_unavailable",
                         {{"application", settings.application_name}, {"message", attempt.why}});
        }
        if (stopped) break;
        if (!served) co_await sleep_for(pause);
        pause = served ? std::chrono::milliseconds{50} : std::min(pause * 2, longest_reconnect_pause);
    }
    lose("stopped");
}

task<void> pipeline::state::read_answers() {
    while (ready) {
        auto const [error] = co_await socket.async_wait(asio::posix::descriptor_base::wait_read, use_task_tuple);
        if (!ready) co_return; // the connection was lost meanwhile, and that is logged
        heard = ticks.now();
        if (error) lose(error.message());
        else if (read_some()) flush(); // PQconsumeInput may have made room to write
    }
}

// Takes what the server has sent; false: the connection is lost.
bool pipeline::state::read_some() {
    if (PQconsumeInput(connection.get()) != 1) lose(PQerrorMessage(connection.get()));
    else if (!take_results()) lose("the server ended the session");
    return ready;
}

// False: the server said that the session ends.
bool pipeline::state::take_results() {
    for (int nothing = 0; !waiting.empty() && nothing < 3 && PQisBusy(connection.get()) == 0;) {
        PGresult* const result = PQgetResult(connection.get());
        if (result == nullptr) {
            ++nothing; // a null also follows each statement's result
            continue;
        }
        nothing = 0;
        if (PQresultStatus(result) == PGRES_FATAL_ERROR && ends_connection(result)) {
            PQclear(result);
            return false;
        }
        if (take_result(result, prepared, waiting.front())) finish_front();
    }
    while (PGnotify* const note = PQnotifies(connection.get())) {
        if (on_notify) on_notify(note->extra);
        PQfreemem(note);
    }
    return PQstatus(connection.get()) == CONNECTION_OK;
}

void pipeline::state::finish_front() {
    auto done = std::move(waiting.front());
    waiting.pop_front();
    front_since = heard = ticks.now();
    bool const failed = done.error != nullptr && !done.is_heartbeat;
    if (settings.counts) {
        settings.counts->in_flight.add(-1);
        settings.counts->seconds.observe(std::chrono::steady_clock::now() - done.began);
        if (failed) settings.counts->failed.add();
    }
    if (done.is_heartbeat) return take_beat(done);
    if (vitals.superseded()) { // what it acknowledges may be known to it alone
        lose(outdated_server);
        if (done.done) done.done.fail(lost(outdated_server));
        return;
    }
    if (done.sets_session && done.error) return lose("the session's settings could not be applied");
    if (!done.done && done.error) return lose("LISTEN was refused");
    if (!done.done) return; // no caller waits for a LISTEN
    if (done.error && settings.schema && is_about_schema(sqlstate_of(done.error))) {
        awaiting_schema.push_back(std::move(done));
        return beat();
    }
    if (done.error) done.done.fail(done.error);
    else done.done.succeed(std::move(done.results));
}

void pipeline::state::submit(completion<segment_results> done, std::vector<statement> const& segment) {
    if (!ready) return done.fail(lost("PostgreSQL is unavailable"));
    if (!vitals.usable()) return done.fail(lost("the server, the role or the schema can't be used"));
    if (waiting.size() >= settings.most_in_flight) {
        if (settings.counts) settings.counts->rejected.add();
        return done.fail(lost("too many pipelined transactions are waiting"));
    }
    enqueue({.done = std::move(done)}, segment);
}

void pipeline::state::enqueue(segment_in_flight entry, std::vector<statement> const& segment) {
    if (waiting.empty()) front_since = ticks.now();
    waiting.push_back(std::move(entry));
    if (settings.counts) settings.counts->in_flight.add(1);
    if (send_segment(connection.get(), prepared, segment, waiting.back())) flush();
    else lose(PQerrorMessage(connection.get()));
}

// Sent before anything else, so that no segment runs without the session's timeouts.
void pipeline::state::prepare_session() {
    if (!settings.options.empty()) enqueue({.sets_session = true}, {set_session(settings.options)});
}

void pipeline::state::beat() {
    if (!ready) return;
    auto const questions = vitals.begin();
    if (!questions.empty()) enqueue({.is_heartbeat = true}, questions);
}

// What failed for another reason than the schema keeps its error.
void pipeline::state::take_beat(segment_in_flight& answer) {
    bool const before = vitals.usable();
    if (auto const why_not = vitals.take(answer, ticks.now()); !why_not.empty()) return lose(why_not);
    auto failed = std::exchange(awaiting_schema, {});
    for (auto& segment : failed)
        segment.done.fail(vitals.usable() ? segment.error : lost("the role or the schema can't be used"));
    if (vitals.usable() && !before && on_connect) on_connect();
}

void pipeline::state::flush() {
    if (!ready || flush_waiting) return;
    int const left = PQflush(connection.get());
    if (left < 0) return lose(PQerrorMessage(connection.get()));
    if (left == 0) return;
    flush_waiting = true;
    socket.async_wait(asio::posix::descriptor_base::wait_write, [self = shared_from_this()](auto error) {
        self->flush_waiting = false;
        if (!error) self->flush();
    });
}

// Everything in flight fails; after a dead backend libpq would answer only the first.
void pipeline::state::lose(std::string const& why) {
    if (ready && !stopped)
        log::warning("postgres_lost", {{"application", settings.application_name}, {"message", why}});
    if (ready && settings.counts) {
        settings.counts->in_flight.add(-static_cast<std::int64_t>(waiting.size()));
        settings.counts->connections.add(-1);
        if (!stopped) settings.counts->lost.add(); // a connection that this program ends is no loss
    }
    ready = false;
    vitals.disconnected();
    prepared.clear();
    if (socket.is_open()) socket.release(); // before PQfinish closes the descriptor; cancels what waits on it
    // A statement that is given up goes on in the server until it is cancelled, and so does a commit that waits for a
    // standby: statement_timeout doesn't end it. At the program's end what was sent may still succeed.
    bool const open = connection && !stopped && PQstatus(connection.get()) == CONNECTION_OK;
    if (open && !waiting.empty()) abandon(std::move(connection), waiting.size(), abandoned);
    connection.reset();
    auto failed = std::exchange(waiting, {});
    for (auto& segment : std::exchange(awaiting_schema, {})) failed.push_back(std::move(segment));
    for (auto& segment : failed)
        if (segment.done) segment.done.fail(lost("the connection was lost: " + why));
}

void pipeline::state::check_deadline(coarse_clock::time_point now) {
    if (!ready) return;
    auto const is_overdue = [&] {
        if (waiting.empty()) return false;
        return now - front_since > (waiting.front().is_heartbeat ? heartbeat_timeout : settings.segment_timeout);
    };
    if (is_overdue()) {
        // This thread may have stood still itself: what came meanwhile is read first.
        if (!read_some() || !is_overdue()) return;
        if (waiting.front().is_heartbeat) settings.servers->silent(host, now);
        lose("no reply within the deadline");
    } else if (!waiting.empty() && settings.servers->silent_since(host, heard)) {
        lose("the server does not respond");
    } else if (vitals.superseded()) {
        lose(outdated_server);
    } else if (vitals.due(now)) {
        beat();
    }
}

pipeline::pipeline(asio::io_context& context, ticker& clock, pipeline_settings settings) {
    if (!settings.servers) settings.servers = std::make_shared<known_servers>();
    state_ = std::make_shared<state>(context, clock, std::move(settings));
    state_->subscription =
        clock.subscribe([s = state_.get()](coarse_clock::time_point now) { s->check_deadline(now); });
    if (state_->settings.counts) state_->settings.counts->expected.add(1);
    spawn(context, state_->keep_connected());
}

pipeline::~pipeline() {
    stop();
    state_->ticks.unsubscribe(state_->subscription);
}

task<std::vector<rows>> pipeline::run(std::vector<statement> segment) {
    return suspend<segment_results>(state_->io.get_executor(),
                                    [s = state_, statements = std::move(segment)](completion<segment_results> done) {
                                        s->submit(std::move(done), statements);
                                    });
}

bool pipeline::ready() const noexcept { return state_->ready && state_->vitals.usable(); }

std::string pipeline::fault() const {
    if (ready()) return {};
    auto const why = state_->ready && state_->settings.schema ? state_->settings.schema->fault() : std::string();
    return why.empty() ? "unavailable" : why;
}

void pipeline::listen(std::string const& channel, std::function<void(std::string_view)> on_notify,
                      std::function<void()> on_connect) {
    state_->on_notify = std::move(on_notify);
    state_->on_connect = [s = state_.get(), what = "LISTEN " + channel, then = std::move(on_connect)] {
        s->submit({}, {{what, {}}});
        then();
    };
}

void pipeline::stop() {
    if (!std::exchange(state_->stopped, true) && state_->settings.counts) state_->settings.counts->expected.add(-1);
    state_->lose("stopped");
}

} // namespace recruiting::pg
