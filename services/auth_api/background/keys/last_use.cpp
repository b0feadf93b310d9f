#include "auth_api/background/keys/last_use.hpp"

#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace recruiting::auth_api {
namespace {

// Another thread may have written a later use, or the same minute: then nothing changes. Locked in the order of the
// ids, because other threads write the same keys at the same time.
constexpr auto write_last_uses_sql = R"sql(
WITH due AS (
    SELECT k.id, u.used_at, u.address
      FROM recruiting.api_keys k
      JOIN unnest($1::uuid[], $2::timestamptz[], $3::inet[]) AS u (id, used_at, address) ON u.id = k.id
     WHERE k.last_used_at IS NULL OR k.last_used_at < u.used_at
     ORDER BY k.id FOR NO KEY UPDATE OF k
)
UPDATE recruiting.api_keys k SET last_used_at = due.used_at, last_used_ip = due.address
  FROM due WHERE k.id = due.id
)sql";

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

std::vector<pg::statement> write_key_uses(std::vector<noted_use> const& uses) {
    std::vector<std::string> ids;
    std::vector<std::string> times;
    std::vector<std::string> addresses;
    for (auto const& use : uses) {
        ids.push_back(to_string(use.id));
        times.push_back(format_time_micros(use.at));
        addresses.push_back(to_string(use.address));
    }
    return {pg::as_worker("last_use"),
            {write_last_uses_sql, pg::params().text_array(ids).text_array(times).text_array(addresses)}};
}

struct last_use::state final : pg::periodic_task {
    state(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds every, use_writer writer)
        : pg::periodic_task(context, connection), interval(every), write(std::move(writer)) {}

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const&) override { throw; } // flush() handles what may fail
    task<void> flush();
    [[nodiscard]] std::vector<noted_use> take_due();
    void put_back(std::vector<noted_use> const& uses);

    std::chrono::milliseconds interval;
    use_writer write;
    std::unordered_map<uuid, noted, hash_id> keys; // written ones stay for their minute, so that it is written once
};

task<std::chrono::milliseconds> last_use::state::round() {
    co_await flush();
    co_return interval;
}

task<void> last_use::state::flush() {
    auto const self = shared_from_this();
    if (!connection().ready()) co_return;
    auto const due = take_due();
    if (due.empty()) co_return;
    auto segment = write(due);
    try {
        auto const answer = co_await connection().run(std::move(segment));
        static_cast<void>(answer);
    } catch (pg::connection_lost const&) { // the connection itself logs it
        put_back(due);
    } catch (std::exception const& error) {
        // What goes away by itself is written later. All else would fail again: better to lose it than to try forever.
        if (pg::severity(error) == log::level::warning) put_back(due);
        log::warning("last_use_not_written", {{"message", error.what()}, {"uses", due.size()}});
    }
}

std::vector<noted_use> last_use::state::take_due() {
    std::vector<noted_use> due;
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

void last_use::state::put_back(std::vector<noted_use> const& uses) {
    for (auto const& use : uses) {
        auto const [entry, added] = keys.try_emplace(use.id, noted{use.at, use.address, false});
        if (!added && entry->second.minute == use.at) entry->second.written = false;
    }
}

last_use::last_use(asio::io_context& context, pg::pipeline& connection, std::chrono::milliseconds interval,
                   use_writer write)
    : state_(std::make_shared<state>(context, connection, interval, std::move(write))) {
    state_->start(interval);
}

last_use::~last_use() { stop(); }

void last_use::note(uuid const& id, ip_address const& address, timestamp now) {
    auto const minute = std::chrono::floor<std::chrono::minutes>(now);
    auto const [entry, added] = state_->keys.try_emplace(id, noted{minute, address, false});
    if (!added && entry->second.minute < minute) entry->second = {minute, address, false};
}

task<void> last_use::flush() { return state_->flush(); }

void last_use::stop() { state_->stop(); }

} // namespace recruiting::auth_api
