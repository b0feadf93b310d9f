#include "auth_api/console/change_pool.hpp"

#include "auth_api/settings.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unordered_map>
#include <vector>

namespace recruiting::auth_api::console {
namespace {

using std::chrono::steady_clock;

struct waiting_change {
    std::uint64_t number{0};
    change_request what;
    steady_clock::time_point since;
};

// What a task is resumed with. An outage is thrown on the task's own thread: exceptions do not cross threads.
struct done_change {
    change_outcome outcome;
    std::string outage; // why nothing was changed, or ""
};

struct waiting_task {
    io_executor caller;
    completion<done_change> resume;
};

done_change unavailable(std::string why) { return {{}, std::move(why)}; }

} // namespace

// Tasks are resumed under the mutex: once forget() has it, no io_context that is about to go is used any more.
struct change_pool::state {
    state(change_pool_settings settings_of_pool, settings const& config_of_program)
        : how(std::move(settings_of_pool)), config(config_of_program) {}

    void add(io_executor const& caller, change_request what, completion<done_change> resume);
    [[nodiscard]] std::optional<waiting_change> take();
    [[nodiscard]] std::deque<waiting_change>::iterator next();
    void end(digest const& session);
    void work();
    void resume(std::uint64_t number, done_change with);

    change_pool_settings const how;
    settings const& config;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<waiting_change> queue;
    std::vector<digest> running; // sessions: one runs one change at a time, so that it can't keep every thread
    std::unordered_map<std::uint64_t, waiting_task> tasks; // by the number of the change, waiting or running
    std::uint64_t last_number{0};
    bool stopping{false};
    std::vector<std::thread> threads;
};

void change_pool::state::add(io_executor const& caller, change_request what, completion<done_change> resume) {
    std::unique_lock const lock(mutex);
    auto const of_session =
        std::ranges::count(queue, what.session_hash, [](auto const& one) { return one.what.session_hash; });
    bool const crowded = queue.size() >= how.most_waiting || of_session >= how.most_waiting_of_session;
    if (stopping || crowded)
        return resume.succeed(unavailable(stopping ? "the program is stopping" : "too many changes wait"));
    queue.push_back({++last_number, std::move(what), steady_clock::now()});
    tasks.emplace(last_number, waiting_task{caller, std::move(resume)});
    changed.notify_one();
}

std::deque<waiting_change>::iterator change_pool::state::next() {
    return std::ranges::find_if(
        queue, [this](auto const& one) { return std::ranges::find(running, one.what.session_hash) == running.end(); });
}

std::optional<waiting_change> change_pool::state::take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return stopping || next() != queue.end(); });
    auto const found = next();
    if (found == queue.end()) return std::nullopt;
    auto taken = std::move(*found);
    queue.erase(found);
    running.push_back(taken.what.session_hash);
    return taken;
}

void change_pool::state::end(digest const& session) {
    std::unique_lock const lock(mutex);
    running.erase(std::ranges::find(running, session));
    changed.notify_one();
}

void change_pool::state::resume(std::uint64_t number, done_change with) {
    std::unique_lock const lock(mutex);
    auto found = tasks.extract(number);
    if (!found.empty()) found.mapped().resume.succeed(std::move(with)); // else it is forgotten
}

void change_pool::state::work() {
    change_connection connection(how, config);
    while (auto const taken = take()) {
        if (steady_clock::now() - taken->since > how.longest_wait) {
            resume(taken->number, unavailable("the change waited for too long"));
        } else {
            try {
                resume(taken->number, {connection.perform(taken->what), {}});
            } catch (outage const& error) {
                resume(taken->number, unavailable(error.what()));
            }
        }
        end(taken->what.session_hash);
    }
}

change_pool_settings pool_settings_of(settings const& config) {
    change_pool_settings out;
    out.database_url = config.database_url;
    out.connections = static_cast<unsigned>(config.console.change_threads);
    out.statement_timeout = config.statement_timeout;
    out.lock_timeout = std::min(out.lock_timeout, config.statement_timeout);
    out.change_timeout = config.statement_timeout + std::chrono::seconds{6};
    return out;
}

change_pool::change_pool(change_pool_settings how, settings const& config)
    : state_(std::make_unique<state>(std::move(how), config)) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // signals are other threads' affair
    for (unsigned i = 0; i < state_->how.connections; ++i)
        state_->threads.emplace_back([in = state_.get()] { in->work(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

change_pool::~change_pool() { stop(); }

task<change_outcome> change_pool::run(io_executor caller, change_request what) {
    auto enqueue = [this, caller, request = std::move(what)](completion<done_change> resume) mutable {
        state_->add(caller, std::move(request), std::move(resume));
    };
    auto waiting = suspend<done_change>(caller, std::move(enqueue));
    auto done = co_await std::move(waiting);
    if (!done.outage.empty()) throw outage(done.outage);
    co_return std::move(done.outcome);
}

void change_pool::forget(io_executor const& caller) noexcept {
    std::vector<waiting_task> forgotten; // ends after the lock: so do their coroutines
    std::unique_lock const lock(state_->mutex);
    std::erase_if(state_->queue, [&](waiting_change const& one) {
        auto const task = state_->tasks.find(one.number);
        return task != state_->tasks.end() && task->second.caller == caller;
    });
    for (auto one = state_->tasks.begin(); one != state_->tasks.end();) {
        if (one->second.caller != caller) {
            ++one;
            continue;
        }
        forgotten.push_back(std::move(one->second));
        one = state_->tasks.erase(one);
    }
}

void change_pool::stop() noexcept {
    {
        std::unique_lock const lock(state_->mutex);
        state_->stopping = true;
        for (auto const& one : state_->queue) {
            auto found = state_->tasks.extract(one.number);
            if (!found.empty()) found.mapped().resume.succeed(unavailable("the program is stopping"));
        }
        state_->queue.clear();
    }
    state_->changed.notify_all();
    for (auto& one : state_->threads)
        if (one.joinable()) one.join();
}

} // namespace recruiting::auth_api::console
