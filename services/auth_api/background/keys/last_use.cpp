#include "auth_api/background/keys/last_use.hpp"

#include "auth_api/background/keys/last_use_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace recruiting::auth_api {
namespace {

// Key ids are random: eight of their bytes are a hash.
struct hash_id {
    std::size_t operator()(uuid const& id) const noexcept {
        std::size_t value = 0;
        std::memcpy(&value, id.bytes.data(), sizeof value);
        return value;
    }
};

struct noted {
    timestamp minute;
    ip_address address;
    bool written{false};
};

} // namespace

struct last_use::state : std::enable_shared_from_this<last_use::state> {
    state(asio::io_context& context, pg::pipeline& c, std::chrono::milliseconds i)
        : connection(c), interval(i), waiting(context) {}

    task<void> work();
    task<void> flush();
    [[nodiscard]] std::vector<key_use> take_due();
    void put_back(std::vector<key_use> const& uses);

    pg::pipeline& connection;
    std::chrono::milliseconds interval;
    pause waiting;
    std::unordered_map<uuid, noted, hash_id> keys; // written ones stay for their minute, so that it is written once
};

task<void> last_use::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        co_await waiting.wait(interval);
        if (waiting.stopped()) break; // the connection may be gone
        co_await flush();
    }
}

task<void> last_use::state::flush() {
    auto const self = shared_from_this();
    if (!connection.ready()) co_return;
    auto const due = take_due();
    if (due.empty()) co_return;
    auto segment = write_last_uses(due);
    try {
        auto const answer = co_await connection.run(std::move(segment));
        static_cast<void>(answer);
    } catch (pg::connection_lost const&) { // told by the connection
        put_back(due);
    } catch (std::exception const& error) { // would fail again: better lose it than try for ever
        log::warning("last_use_not_written", {{"message", error.what()}, {"keys", due.size()}});
    }
}

std::vector<key_use> last_use::state::take_due() {
    std::vector<key_use> due;
    timestamp newest{};
    for (auto const& [id, use] : keys) newest = std::max(newest, use.minute);
    for (auto& [id, use] : keys) {
        if (use.written) continue;
        due.push_back({id, use.address, use.minute});
        use.written = true;
    }
    std::erase_if(keys, [&](auto const& entry) { return entry.second.written && entry.second.minute < newest; });
    return due;
}

void last_use::state::put_back(std::vector<key_use> const& uses) {
    for (auto const& use : uses) {
        auto const [entry, added] = keys.try_emplace(use.credential, noted{use.at, use.address, false});
        if (!added && entry->second.minute == use.at) entry->second.written = false;
    }
}

last_use::last_use(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval)
    : state_(std::make_shared<state>(context, connection, interval)) {
    spawn(context, state_->work());
}

last_use::~last_use() { stop(); }

void last_use::note(uuid const& credential, ip_address const& address, timestamp now) {
    auto const minute = std::chrono::floor<std::chrono::minutes>(now);
    auto const [entry, added] = state_->keys.try_emplace(credential, noted{minute, address, false});
    if (!added && entry->second.minute < minute) entry->second = {minute, address, false};
}

task<void> last_use::flush() { return state_->flush(); }

void last_use::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
