#include "auth_api/console/change_pool.hpp"

#include "auth_api/http/fair_queue.hpp"
#include "auth_api/settings.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
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
    uuid member_id;
    io_executor caller;
    completion<done_change> resume;
};

using change_queue = fair_queue<waiting_change>;

// An organization has one change in progress, so that it can't keep every thread.
fair_queue_limits queue_limits_of(change_pool_settings const& how) {
    return {how.connections, 1, how.most_waiting_of_organization, how.most_waiting};
}

constexpr auto one_per_batch = [](waiting_change const&, waiting_change const&) { return false; };

done_change unavailable(std::string why) { return {{}, std::move(why)}; }

} // namespace

// Tasks are resumed under the mutex: once forget() has it, no io_context that is about to go is used any more.
struct change_pool::state {
    state(change_pool_settings settings_of_pool, settings const& config_of_program)
        : how(std::move(settings_of_pool)), config(config_of_program), queue(queue_limits_of(how)) {}

    void add(io_executor const& caller, change_request what, completion<done_change> resume);
    [[nodiscard]] std::optional<waiting_change> take();
    void end(uuid const& organization);
    void work();
    void resume(std::uint64_t number, done_change with);

    change_pool_settings const how;
    settings const& config;
    std::mutex mutex;
    std::condition_variable changed;
    change_queue queue;                                    // by organization
    std::unordered_map<std::uint64_t, waiting_task> tasks; // by the number of the change, waiting or running
    std::uint64_t last_number{0};
    bool stopping{false};
    std::vector<std::thread> threads;
};

void change_pool::state::add(io_executor const& caller, change_request what, completion<done_change> resume) {
    std::unique_lock const lock(mutex);
    auto const of_member =
        std::ranges::count_if(tasks, [&](auto const& one) { return one.second.member_id == what.member_id; });
    bool const crowded = queue.is_full() || queue.is_full_for(what.organization_id) || of_member >= how.most_of_member;
    if (stopping || crowded)
        return resume.succeed(unavailable(stopping ? "the program is stopping" : "too many changes wait"));
    auto const organization = what.organization_id;
    tasks.emplace(++last_number, waiting_task{what.member_id, caller, std::move(resume)});
    queue.push(organization, {last_number, std::move(what), steady_clock::now()});
    changed.notify_one();
}

std::optional<waiting_change> change_pool::state::take() {
    std::unique_lock lock(mutex);
    for (;;) {
        std::optional<change_queue::batch> started;
        changed.wait(lock, [&] {
            started = queue.start_batch(1, one_per_batch);
            return started || stopping;
        });
        if (!started) return std::nullopt;
        auto& next = started->items.front();
        if (tasks.contains(next.number)) return std::move(next);
        queue.finish_batch(started->owner); // its caller was forgotten
    }
}

void change_pool::state::end(uuid const& organization) {
    std::unique_lock const lock(mutex);
    queue.finish_batch(organization);
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
        end(taken->what.organization_id);
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
        for (auto const& one : state_->queue.take_expired([](waiting_change const&) { return true; })) {
            auto found = state_->tasks.extract(one.number);
            if (!found.empty()) found.mapped().resume.succeed(unavailable("the program is stopping"));
        }
    }
    state_->changed.notify_all();
    for (auto& one : state_->threads)
        if (one.joinable()) one.join();
}

} // namespace recruiting::auth_api::console
