// What one run knows so far, and what it wants next. A plan is written as if every result were there: it asks, and
// returns when what it asked for has not come yet; with the next result it is played again from the start. So a reply
// depends on the messages alone.
#pragma once
#include "auth_api/agent/builtin/record.hpp"
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/model.hpp"
#include "core/time.hpp"

#include <boost/json/object.hpp>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// Records of a list, from all of the pages that were read.
struct listing {
    std::vector<record> items;
    bool complete{true}; // false: there are more
};

struct page_limits {
    std::int64_t size;      // records of a page: about what fits into the run's limit on a tool's result
    std::size_t most_pages; // of one answer
};
inline constexpr page_limits job_pages{30, 6};
inline constexpr page_limits candidate_pages{50, 6};
inline constexpr page_limits member_pages{90, 6};

class desk {
public:
    /// The messages after the prompt: calls and their results. No tools: the run's last round, only an answer counts.
    desk(std::span<message const> run, std::span<tool_description const> tools, timestamp now);

    [[nodiscard]] timestamp now() const noexcept { return now_; }

    struct answer {
        record data;      // empty while it has not come, and when it was refused
        std::string code; // of a refusal
    };
    /// The result of a call, or what was said instead; a call not made yet is noted.
    answer try_ask(std::string_view tool, boost::json::object const& arguments = {});
    /// The same; a refusal is said. An empty record: nothing to do now but return.
    record ask(std::string_view tool, boost::json::object const& arguments = {});
    /// Follows the pages of a list; nullopt as an empty record of ask.
    std::optional<listing> ask_all(std::string_view tool, boost::json::object arguments, page_limits const& limits);

    /// The answer; the first one counts.
    void say(std::string text);
    /// The calls it still needs, or the answer.
    [[nodiscard]] model_reply reply() &&;

private:
    struct exchange {
        tool_call call;
        std::optional<boost::json::value> result;
    };
    [[nodiscard]] exchange const* find(std::string_view tool, std::string_view arguments) const;
    void note(std::string_view tool, std::string arguments);

    std::deque<exchange> exchanges_;
    std::span<tool_description const> tools_;
    timestamp now_;
    std::vector<tool_call> wanted_;
    std::string said_;
};

using plan = std::function<void(desk&)>;

} // namespace recruiting::auth_api::agent::responder
