#include "pg/schema_store.hpp"

#include "core/log.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace recruiting::pg {
namespace {

constexpr std::string_view select_version = "SELECT recruiting.schema_version(), pg_backend_pid(), "
                                            "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";

// One statement, whatever their number. It counts the results, so that PostgreSQL evaluates each of them.
constexpr std::string_view set_parameters =
    "SELECT count(set_config(name, value, false)) FROM unnest($1::text[], $2::text[]) AS p (name, value)";

} // namespace

bool session_check::is_shared(void const* connection, backend const& seen) const {
    return std::any_of(backends_.begin(), backends_.end(), [&](auto const& known) {
        return known.first == connection ? known.second != seen : known.second == seen;
    });
}

void session_check::note_shared() {
    if (!std::exchange(shared_, true)) log::error("pooler_changes_sessions", {{"message", sessions_change}});
}

void session_check::lost_statement() {
    std::lock_guard const lock(mutex_);
    note_shared();
}

bool session_check::admit(void const* connection, backend const& seen, bool direct) {
    if (direct) return true;
    std::lock_guard const lock(mutex_);
    if (is_shared(connection, seen)) note_shared();
    bool const is_first = backends_.insert_or_assign(connection, seen).second;
    return !shared_ && !is_first;
}

void session_check::forget(void const* connection) {
    std::lock_guard const lock(mutex_);
    backends_.erase(connection);
    if (backends_.empty()) shared_ = false;
}

std::string session_check::fault() const {
    std::lock_guard const lock(mutex_);
    return shared_ ? std::string(sessions_change) : std::string();
}

int newest_migration() noexcept { return RECRUITING_NEWEST_MIGRATION; }

statement schema_gate::question() { return {std::string(select_version), {}}; }

bool schema_gate::admit(std::optional<int> version) {
    auto const now = version.value_or(not_readable);
    auto const before = seen_.exchange(now);
    bool const right = now >= needed_;
    if (before == now) return right;
    if (!right) log::warning("schema_too_old", {{"message", fault()}});
    else if (before != not_asked && before < needed_)
        log::info("schema_new_enough", {{"version", now}, {"needed", needed_}});
    return right;
}

int schema_gate::version_of(rows const& answer) { return static_cast<int>(answer.integer(0, 0)); }

backend schema_gate::backend_of(rows const& answer) { return {answer.integer(0, 1), answer.integer(0, 2)}; }

std::string schema_gate::fault() const {
    if (auto why = sessions_.fault(); !why.empty()) return why;
    auto const seen = seen_.load();
    if (seen == not_asked || seen >= needed_) return {};
    auto const is_at = seen == not_readable ? "is missing" : "is at " + std::to_string(seen);
    return "schema " + is_at + ", needs " + std::to_string(needed_) + ": run recruitctl migrate";
}

bool is_about_schema(std::string_view sqlstate) noexcept {
    return sqlstate.starts_with("42") || sqlstate.starts_with("3F");
}

std::vector<std::pair<std::string, std::string>> parse_options(std::string_view options) {
    std::vector<std::pair<std::string, std::string>> out;
    bool follows = false; // a parameter, after -c
    for (auto const word : split(options, ' ')) {
        if (word.empty()) continue;
        auto const equals = word.find('=');
        if (follows != (word != "-c") || (follows && equals == word.npos))
            throw std::logic_error("session options must be -c name=value");
        if (follows) out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
        follows = !follows;
    }
    if (follows) throw std::logic_error("session options must be -c name=value");
    return out;
}

statement set_session(std::string_view options) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (auto& [name, value] : parse_options(options)) {
        names.push_back(name);
        values.push_back(value);
    }
    return {std::string(set_parameters), params{}.text_array(names).text_array(values)};
}

} // namespace recruiting::pg
