// One run as far as it has come: the results of its calls, and the calls it still needs. A plan is written as if every
// result were there: it calls a tool, and returns when the result has not come yet; with the next result the plan is
// played again from the start. So a reply depends on the messages alone.
#pragma once
#include "auth_api/agent/model.hpp"
#include "core/time.hpp"

#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::builtin {

/// A view of one JSON value of a result, read without trusting its shape: what is missing or of another type reads as
/// empty. The result outlives it.
class record {
public:
    record() = default;
    explicit record(boost::json::value const* value) : value_(value) {}

    /// False of what is missing, and of null.
    [[nodiscard]] explicit operator bool() const noexcept { return value_ != nullptr && !value_->is_null(); }
    [[nodiscard]] record operator[](std::string_view name) const noexcept;
    [[nodiscard]] std::vector<record> items() const;
    [[nodiscard]] std::string_view text() const noexcept;
    [[nodiscard]] std::string_view text(std::string_view name) const noexcept { return (*this)[name].text(); }
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const noexcept;
    [[nodiscard]] bool is_true(std::string_view name) const noexcept;

private:
    boost::json::value const* value_{nullptr};
};

/// The records of a list, from all pages that were read.
struct listing {
    std::vector<record> items;
    bool complete{true}; // false: there are more records than were read
    [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(items.size()); }
};

struct page_limits {
    std::int64_t size; // records per page: about what fits into the limit on a tool's result
    std::size_t most_pages;
};
inline constexpr page_limits job_pages{30, 6};

class dialogue {
public:
    /// run: the messages after the prompt. tools: none in the run's last round, when only an answer counts.
    dialogue(std::span<message const> run, std::span<tool_description const> tools, timestamp now);

    [[nodiscard]] timestamp now() const noexcept { return now_; }

    struct result {
        record data;      // empty while it has not come, and when the call was refused
        std::string code; // of the refusal
    };
    /// The result of a call. A call that was not made yet is noted for this round.
    result try_call(std::string_view tool, boost::json::object const& arguments = {});
    /// As try_call; a refusal is the answer. An empty record: the plan returns.
    record call(std::string_view tool, boost::json::object const& arguments = {});
    /// Follows the pages of a list. nullopt: the plan returns.
    std::optional<listing> read_list(std::string_view tool, boost::json::object arguments, page_limits const& limits);

    /// The first answer counts.
    void answer(std::string text);
    /// The calls that the run still needs, or the answer.
    [[nodiscard]] model_reply reply() &&;

private:
    struct past_call {
        tool_call call;
        std::optional<boost::json::value> result;
    };
    [[nodiscard]] past_call const* find(std::string_view tool, std::string_view arguments) const;
    void note(std::string_view tool, std::string arguments);

    std::deque<past_call> past_;
    std::span<tool_description const> tools_;
    timestamp now_;
    std::vector<tool_call> wanted_;
    std::string answer_;
};

// Codes of the responder's own, beside those of the API.
inline constexpr std::string_view no_result = "no_result";     // none came, or it can't be read
inline constexpr std::string_view not_offered = "not_offered"; // this run has no such tool
inline constexpr std::string_view last_round = "last_round";   // this run may call no more tools

/// The answer when a tool refuses: which permission is missing, and nothing of the data.
[[nodiscard]] std::string refusal_text(std::string_view tool, std::string_view code);

} // namespace recruiting::auth_api::agent::builtin
