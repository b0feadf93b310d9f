#include "pg/pipeline.hpp"

#include "core/log.hpp"
#include "pg/connect.hpp"
#include "pg/result_error.hpp"
#include "pg/schema_store.hpp"
#include "pg/segment.hpp"
#include "pg/session_store.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <libpq-fe.h>

namespace recruiting::pg {
namespace {

// How often a connection asks for the schema's version: a database can be restored from an older dump under it, and
// whoever waits for a migration goes on soon after it.
constexpr std::chrono::seconds ask_again{5};
constexpr std::chrono::seconds ask_again_soon{1};

bool is_about_schema(std::exception_ptr const& error) {
    try {
        std::rethrow_exception(error);
    } catch (query_error const& failed) {
        return pg::is_about_schema(failed.sqlstate());
    } catch (...) {
        return false;
    }
}

} // namespace

struct pipeline::state : std::enable_shared_from_this<pipeline::state> {
    state(asio::io_context& context, ticker& clock, pipeline_settings s)
        : io(context), ticks(clock), settings(std::move(s)), socket(context) {}

    task<void> keep_connected();
    task<void> read_answers();
    void submit(completion<outcome> done, std::vector<statement> const& segment, std::uint64_t owner);
    void enqueue(segment_in_flight entry, std::vector<statement> const& segment, std::uint64_t owner);
    void prepare_session();
    [[nodiscard]] bool admits_session(rows const& answer);
    void ask_schema();
    void take_schema(segment_in_flight& answer);
    void flush();
    bool take_results();
    void finish_front();
    void deliver_notifications();
    void lose(std::string const& why);
    void count_loss() const;
    void check_deadline(coarse_clock::time_point now);

    asio::io_context& io;
    ticker& ticks;
    pipeline_settings settings;
    connection_handle connection;
    asio::posix::basic_stream_descriptor<io_executor> socket;
    std::deque<segment_in_flight> waiting;
    std::vector<segment_in_flight> doubtful; // failed, perhaps because the schema is too old: its version is asked for
    coarse_clock::time_point ask_schema_at{coarse_clock::time_point::max()};
    prepared_statements prepared;
    coarse_clock::time_point front_since; // since when PostgreSQL works at what waits in front: for its deadline
    ticker::subscription subscription{};
    std::string channel;
    std::function<void(std::string_view)> on_notify;
    std::function<void()> on_connect;
    bool ready{false};  // connected
    bool usable{false}; // and the schema is new enough
    bool asking{false}; // for its version
    bool stopped{false};
    bool flush_waiting{false};
};

task<void> pipeline::state::keep_connected() {
    auto const self = shared_from_this();
    auto pause = std::chrono::milliseconds{50};
    while (!stopped) {
        std::string why;
        connect_request const request{settings.url, settings.application_name, settings.connect_timeout};
        connection = co_await connect(ticks, request, socket, why);
        if (stopped) break;
        if (connection && PQenterPipelineMode(connection.get()) == 1) {
            pause = std::chrono::milliseconds{50};
            ready = true;
            if (settings.counts) settings.counts->connected();
            log::info("postgres_connected", {{"application", settings.application_name}});
            prepare_session();
            usable = settings.schema == nullptr;
            if (!usable) ask_schema();
            else if (on_connect) on_connect();
            co_await read_answers();
        } else {
            if (settings.counts) settings.counts->not_connected();
            log::warning("postgres_away", {{"application", settings.application_name}, {"message", why}});
            co_await sleep_for(pause);
            pause = std::min(pause * 2, std::chrono::milliseconds{1000});
        }
    }
    lose("stopped");
}

task<void> pipeline::state::read_answers() {
    while (ready) {
        auto const [error] = co_await socket.async_wait(asio::posix::descriptor_base::wait_read, use_task_tuple);
        if (!ready) co_return; // lost meanwhile, told already
        if (error) {
            lose(error.message());
        } else if (PQconsumeInput(connection.get()) != 1) {
            lose(PQerrorMessage(connection.get()));
        } else if (!take_results()) {
            lose("the server ended the session");
        } else {
            flush(); // PQconsumeInput may have made room to write
        }
    }
}

// False: the server said that the session ends.
bool pipeline::state::take_results() {
    int nothing = 0;
    while (!waiting.empty() && nothing < 3 && PQisBusy(connection.get()) == 0) {
        PGresult* const result = PQgetResult(connection.get());
        if (result == nullptr) {
            ++nothing; // stands after each statement's result
            continue;
        }
        nothing = 0;
        if (PQresultStatus(result) == PGRES_FATAL_ERROR && ends_connection(result)) {
            PQclear(result);
            return false;
        }
        if (take_result(result, prepared, waiting.front())) finish_front();
    }
    deliver_notifications();
    return PQstatus(connection.get()) == CONNECTION_OK;
}

void pipeline::state::finish_front() {
    auto done = std::move(waiting.front());
    waiting.pop_front();
    front_since = ticks.now();
    if (settings.counts)
        settings.counts->answered(std::chrono::steady_clock::now() - done.began,
                                  done.error != nullptr && !done.asks_schema);
    if (done.asks_schema) return take_schema(done);
    if (done.sets_session && done.error) return lose("its session could not be set");
    if (!done.done) return; // LISTEN: nobody waits
    if (done.error && settings.schema && is_about_schema(done.error)) {
        doubtful.push_back(std::move(done));
        return ask_schema();
    }
    if (done.error) done.done.fail(done.error);
    else done.done.succeed(std::move(done.results));
}

void pipeline::state::deliver_notifications() {
    while (PGnotify* const note = PQnotifies(connection.get())) {
        if (on_notify) on_notify(note->extra);
        PQfreemem(note);
    }
}

void pipeline::state::submit(completion<outcome> done, std::vector<statement> const& segment, std::uint64_t owner) {
    if (!ready || !usable || waiting.size() >= settings.most_in_flight) {
        auto const* const why = !ready   ? "PostgreSQL is away"
                                : usable ? "too many segments are waiting"
                                         : "the schema is too old";
        if (settings.counts && !stopped) settings.counts->refused();
        return done.fail(std::make_exception_ptr(connection_lost(why)));
    }
    enqueue({std::move(done), {}, {}, {}, std::chrono::steady_clock::now()}, segment, owner);
}

void pipeline::state::enqueue(segment_in_flight entry, std::vector<statement> const& segment, std::uint64_t owner) {
    if (waiting.empty()) front_since = ticks.now();
    waiting.push_back(std::move(entry));
    if (settings.counts) settings.counts->sent();
    if (send_segment(connection.get(), prepared, segment, owner, waiting.back())) flush();
    else lose(PQerrorMessage(connection.get()));
}

// Nothing is sent without its timeouts: segments run in the order in which they were sent.
void pipeline::state::prepare_session() {
    if (settings.options.empty()) return;
    enqueue({{}, {}, {}, {}, std::chrono::steady_clock::now(), false, true}, {set_session(settings.options)}, 0);
}

bool pipeline::state::admits_session(rows const& answer) {
    auto const seen = schema_gate::backend_of(answer);
    return settings.schema->sessions().admit(this, seen, seen.pid == PQbackendPID(connection.get()));
}

void pipeline::state::ask_schema() {
    if (!ready || std::exchange(asking, true)) return;
    enqueue({{}, {}, {}, {}, std::chrono::steady_clock::now(), true}, {schema_gate::question()}, 0);
}

// What failed for another reason than the schema keeps its error; a question that failed for another leaves all as it
// is.
void pipeline::state::take_schema(segment_in_flight& answer) {
    asking = false;
    bool const before = usable;
    if (!answer.error && !answer.results.empty())
        usable = admits_session(answer.results.front()) &&
                 settings.schema->admit(static_cast<int>(answer.results.front().integer(0, 0)));
    else if (answer.error && is_about_schema(answer.error)) usable = settings.schema->admit(std::nullopt);
    ask_schema_at = ticks.now() + (usable ? ask_again : ask_again_soon);
    auto failed = std::exchange(doubtful, {});
    for (auto& segment : failed)
        segment.done.fail(usable ? segment.error : std::make_exception_ptr(connection_lost("the schema is too old")));
    if (usable && !before && on_connect) on_connect();
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

// What we end ourselves is no loss.
void pipeline::state::count_loss() const {
    settings.counts->unanswered(waiting.size());
    settings.counts->disconnected();
    if (!stopped) settings.counts->lost();
}

// Everything in flight fails; after a dead backend libpq would answer only the first (design: Traps, libpq).
void pipeline::state::lose(std::string const& why) {
    if (ready && !stopped)
        log::warning("postgres_lost", {{"application", settings.application_name}, {"message", why}});
    if (ready && settings.counts) count_loss();
    if (settings.schema) settings.schema->sessions().forget(this);
    ready = usable = asking = false;
    ask_schema_at = coarse_clock::time_point::max();
    prepared.clear();
    if (socket.is_open()) socket.release(); // before PQfinish closes the descriptor; cancels what waits on it
    connection.reset();
    auto failed = std::exchange(waiting, {});
    for (auto& segment : std::exchange(doubtful, {})) failed.push_back(std::move(segment));
    for (auto& segment : failed)
        if (segment.done)
            segment.done.fail(std::make_exception_ptr(connection_lost("the connection was lost: " + why)));
}

void pipeline::state::check_deadline(coarse_clock::time_point now) {
    if (ready && !waiting.empty() && now - front_since > settings.segment_timeout)
        lose("no answer within the deadline");
    else if (now >= ask_schema_at) ask_schema();
}

pipeline::pipeline(asio::io_context& context, ticker& clock, pipeline_settings settings)
    : state_(std::make_shared<state>(context, clock, std::move(settings))) {
    state_->subscription =
        clock.subscribe([s = state_.get()](coarse_clock::time_point now) { s->check_deadline(now); });
    if (state_->settings.counts) state_->settings.counts->made();
    spawn(context, state_->keep_connected());
}

pipeline::~pipeline() {
    stop();
    state_->ticks.unsubscribe(state_->subscription);
}

task<std::vector<rows>> pipeline::run(std::vector<statement> segment, std::uint64_t owner) {
    return suspend<outcome>(state_->io.get_executor(),
                            [s = state_, statements = std::move(segment), owner](completion<outcome> done) {
                                s->submit(std::move(done), statements, owner);
                            });
}

bool pipeline::ready() const noexcept { return state_->ready && state_->usable; }

std::string pipeline::fault() const {
    if (ready()) return {};
    auto const why = state_->ready ? state_->settings.schema->fault() : std::string();
    return why.empty() ? "away" : why;
}

void pipeline::listen(std::string channel, std::function<void(std::string_view)> on_notify,
                      std::function<void()> on_connect) {
    state_->channel = std::move(channel);
    state_->on_notify = std::move(on_notify);
    state_->on_connect = [s = state_.get(), then = std::move(on_connect)] {
        s->submit({}, {{"LISTEN " + s->channel, {}}}, 0);
        then();
    };
}

void pipeline::stop() {
    if (!std::exchange(state_->stopped, true) && state_->settings.counts) state_->settings.counts->stopped();
    state_->lose("stopped");
}

} // namespace recruiting::pg
