// How PostgreSQL fails: the connection (outage) or one statement (query_error, with its SQLSTATE).
#pragma once
#include "core/error.hpp"
#include "core/log.hpp"

#include <string>

namespace recruiting::pg {

class connection_lost : public outage {
public:
    using outage::outage;
};

class query_error : public std::runtime_error {
public:
    query_error(std::string sqlstate, std::string const& message, std::string constraint = {})
        : std::runtime_error(message), sqlstate_(std::move(sqlstate)), constraint_(std::move(constraint)) {}
    [[nodiscard]] std::string const& sqlstate() const noexcept { return sqlstate_; }
    /// Does it go away by itself: a timeout, a deadlock, a serialization failure, a lack of resources?
    [[nodiscard]] bool is_passing() const noexcept {
        return sqlstate_ == "57014" || sqlstate_ == "55P03" || sqlstate_.starts_with("40") ||
               sqlstate_.starts_with("53");
    }
    /// The name of the constraint that was violated, or "".
    [[nodiscard]] std::string const& constraint() const noexcept { return constraint_; }

private:
    std::string sqlstate_;
    std::string constraint_;
};

/// SQLSTATEs that callers distinguish (PostgreSQL documentation, appendix A).
inline constexpr char const* unique_violation = "23505";
inline constexpr char const* check_violation = "23514";
inline constexpr char const* exclusion_violation = "23P01";
inline constexpr char const* deadlock_detected = "40P01";
inline constexpr char const* query_canceled = "57014"; // statement_timeout
inline constexpr char const* lock_not_available = "55P03";
inline constexpr char const* undefined_table = "42P01";
inline constexpr char const* duplicate_statement = "42P05";
inline constexpr char const* undefined_statement = "26000";
inline constexpr char const* invalid_schema = "3F000";

/// At which level a worker logs that its statement failed: what goes away by itself is made good by the worker's next
/// round; everything else is somebody's mistake.
[[nodiscard]] inline log::level severity(std::exception const& error) noexcept {
    auto const* const refusal = dynamic_cast<query_error const*>(&error);
    return refusal != nullptr && refusal->is_passing() ? log::level::warning : log::level::error;
}

} // namespace recruiting::pg
