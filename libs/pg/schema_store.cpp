#include "pg/schema_store.hpp"

#include "core/log.hpp"

namespace recruiting::pg {
namespace {

// Executable by the services' roles since the migration of this number.
constexpr std::string_view select_version = "SELECT recruiting.schema_version(), pg_backend_pid(), "
                                            "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";
constexpr int first_with_version = 18;

} // namespace

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

backend schema_gate::backend_of(rows const& answer) { return {answer.integer(0, 1), answer.integer(0, 2)}; }

std::string schema_gate::fault() const {
    if (auto why = sessions_.fault(); !why.empty()) return why;
    auto const seen = seen_.load();
    if (seen == not_asked || seen >= needed_) return {};
    auto const is_at = seen == not_readable ? "is missing or older than " + std::to_string(first_with_version)
                                            : "is at " + std::to_string(seen);
    return "schema " + is_at + ", needs " + std::to_string(needed_) + ": run recruitctl migrate";
}

bool is_about_schema(std::string_view sqlstate) noexcept {
    return sqlstate.starts_with("42") || sqlstate.starts_with("3F");
}

} // namespace recruiting::pg
