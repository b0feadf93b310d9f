#include "pg/heartbeat.hpp"

#include "pg/error.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"

#include <stdexcept>
#include <utility>

namespace recruiting::pg {
namespace {

// Short, so that a program that waits for a migration goes on soon after it.
constexpr std::chrono::milliseconds interval{1'500};

} // namespace

heartbeat::heartbeat(std::shared_ptr<schema_gate> schema, std::shared_ptr<known_servers> servers)
    : schema_(std::move(schema)), servers_(std::move(servers)) {}

void heartbeat::connected(std::size_t host, int backend_pid) {
    host_ = host;
    backend_pid_ = backend_pid;
    timeline_ = 0;
    served_ = false;
}

void heartbeat::disconnected() {
    if (schema_) schema_->sessions().forget(this);
    in_flight_ = usable_ = false;
    next_ = coarse_clock::time_point::max();
}

bool heartbeat::superseded() const noexcept { return timeline_ != 0 && servers_->newest_timeline() > timeline_; }

std::vector<statement> heartbeat::begin() {
    if (std::exchange(in_flight_, true)) return {};
    std::vector<statement> questions; // in order of what they need: a failure leaves the answers before it
    if (schema_) {
        questions.push_back(schema_->who());
        questions.push_back(schema_->version());
    }
    questions.push_back({std::string(select_line), {}});
    return questions;
}

std::string heartbeat::take(segment_in_flight const& answer, coarse_clock::time_point now) try {
    in_flight_ = false;
    next_ = now + interval;
    // A server that doesn't say who it is (a proxy that is none, rights taken away) is trusted.
    if (answer.results.size() == (schema_ ? 3U : 1U)) {
        auto const line = read_line(answer.results.back()[0]);
        timeline_ = line.timeline;
        auto why_not = servers_->refuse(line);
        if (!why_not.empty()) {
            servers_->unusable(host_, now);
            return why_not;
        }
    }
    usable_ = admits_schema(answer);
    served_ = served_ || usable_;
    return {};
} catch (std::logic_error const&) { // these columns are of a statement that another session has prepared by this name
    if (!schema_) throw;
    schema_->sessions().lost_statement();
    return "another session answered";
}

bool heartbeat::admits_schema(segment_in_flight const& answer) {
    if (!schema_) return true;
    auto const& found = answer.results;
    auto const why = sqlstate_of(answer.error);
    if (why == undefined_statement) {
        schema_->sessions().lost_statement();
        return false;
    }
    bool const tells_version = found.size() > 1;
    if (found.empty() || (!tells_version && !is_about_schema(why))) return usable_;
    auto const seen = schema_gate::backend_of(found[0]);
    return schema_->sessions().admit(this, seen, seen.pid == backend_pid_) &&
           schema_->admit(found[0], tells_version ? std::optional(found[1]) : std::nullopt, why);
}

std::string sqlstate_of(std::exception_ptr const& error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (query_error const& failed) {
        return failed.sqlstate();
    } catch (std::exception const&) { // of the connection
    }
    return {};
}

} // namespace recruiting::pg
