// Does a connection hear the notifications that PostgreSQL sends it? A pooler in between may take them: then LISTEN
// succeeds and nothing comes. So the connection notifies itself now and then. A state machine without I/O.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

namespace recruiting::public_api {

class listening {
public:
    using clock = std::chrono::steady_clock;

    /// name: of this process alone, so that it knows its own notifications.
    explicit listening(std::string name) : payload_(std::string(mark) + std::move(name)) {}

    /// A new connection, of which nothing is known yet.
    void begin(clock::time_point now);
    /// A notification to itself is to be sent now; then call sent.
    [[nodiscard]] bool is_due(clock::time_point now) const { return now >= due_at_; }
    void sent(clock::time_point now);
    [[nodiscard]] std::string const& payload() const noexcept { return payload_; }
    /// Is it such a notification, this process's or another's? Then it says nothing of changes.
    [[nodiscard]] bool take(std::string_view payload);
    /// The last notification to itself came back, or is still on its way.
    [[nodiscard]] bool hears(clock::time_point now) const { return heard_ && now < deaf_at_; }

private:
    static constexpr std::string_view mark = "echo ";
    std::string payload_;
    clock::time_point due_at_{clock::time_point::max()};
    clock::time_point deaf_at_{clock::time_point::max()};
    bool heard_{false}; // since the connection is new
};

} // namespace recruiting::public_api
