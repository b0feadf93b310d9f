#include "auth_api/background/keys/peppers.hpp"

#include "core/log.hpp"
#include "core/text.hpp"
#include "pg/periodic_task.hpp"

#include <map>
#include <utility>

namespace recruiting::auth_api {
namespace {

using namespace std::chrono_literals;

constexpr auto move_keys_sql = "SELECT recruiting.move_keys($1::bytea[], $2::bytea[], $3::bigint)";
constexpr auto is_lost_sql = "SELECT recruiting.is_pepper_lost($1::bigint[])";
constexpr auto lost =
    "the active API keys in this database were hashed with another pepper, so that each of them would "
    "be rejected: restore the file of RECRUITING_KEY_PEPPER_FILE (recruitctl key pepper)";

std::string array_of(std::vector<std::int64_t> const& values) {
    std::string out;
    for (auto const value : values) out.append(out.empty() ? "{" : ",").append(std::to_string(value));
    return out + '}';
}

} // namespace

struct key_moves::state final : pg::periodic_task {
    state(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers,
          std::chrono::milliseconds every)
        : pg::periodic_task(context, connection, every, "keys_not_moved"),
          moves_to(pepper_fingerprint(peppers.current)) {}

    task<std::chrono::milliseconds> round() override {
        co_await flush();
        co_return interval();
    }
    task<void> flush();

    std::int64_t moves_to;
    std::map<digest, digest> used; // the hashes of used keys: under the current pepper, and under the previous one
};

task<void> key_moves::state::flush() {
    auto const due = std::exchange(used, {});
    if (due.empty()) co_return;
    std::vector<std::string> hashes;
    std::vector<std::string> previous_hashes;
    for (auto const& [hash, previous] : due) {
        hashes.push_back("\\x" + to_hex(bytes_of(hash)));
        previous_hashes.push_back("\\x" + to_hex(bytes_of(previous)));
    }
    std::vector<pg::statement> segment = {
        {move_keys_sql, pg::params().text_array(hashes).text_array(previous_hashes).integer(moves_to)}};
    auto const answer = co_await run(std::move(segment));
    if (auto const moved = answer.front().integer(0, 0); moved > 0) log::info("keys_moved", {{"keys", moved}});
}

key_moves::key_moves(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers,
                     std::chrono::milliseconds interval)
    : state_(std::make_shared<state>(context, connection, peppers, interval)) {
    state_->start(interval);
}

key_moves::~key_moves() { state_->stop(); }

void key_moves::note(auth::principal const& caller, auth::credential const& presented) {
    if (caller.pepper_fingerprint == state_->moves_to || caller.state != auth::credential_state::active) return;
    state_->used.insert_or_assign(presented.hash, presented.previous_hash.value_or(presented.hash));
}

task<void> key_moves::flush() { return state_->flush(); }

struct pepper_watch::state final : pg::periodic_task {
    state(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers)
        : pg::periodic_task(context, connection, 2s, "pepper_not_compared"), known(array_of(fingerprints_of(peppers))) {
    }

    task<std::chrono::milliseconds> round() override;

    std::string known;
    bool has_compared{false};
    bool is_lost{false};
};

// The first comparison follows the connection at once: the process is not ready before it.
task<std::chrono::milliseconds> pepper_watch::state::round() {
    if (!connection().ready()) co_return has_compared ? 1s : 20ms;
    std::vector<pg::statement> segment = {{is_lost_sql, pg::params().text(known)}};
    auto const answer = co_await run(std::move(segment));
    bool const was_lost = std::exchange(is_lost, answer.front().boolean(0, 0));
    has_compared = true;
    if (is_lost && !was_lost) log::error("pepper_lost", {{"message", lost}});
    if (was_lost && !is_lost) log::info("pepper_found");
    co_return interval();
}

pepper_watch::pepper_watch(asio::io_context& context, pg::pipeline& connection, pepper_pair const& peppers)
    : state_(std::make_shared<state>(context, connection, peppers)) {
    state_->start();
}

pepper_watch::~pepper_watch() { state_->stop(); }

std::string pepper_watch::fault() const {
    if (!state_->has_compared) return "not compared yet";
    return state_->is_lost ? lost : std::string();
}

} // namespace recruiting::auth_api
