// libcurl on a thread's io_context: curl says which of its descriptors and which time to wait for, Asio waits. One a
// thread. What is transferred is the protocols' affair (http_exchange); only this folder includes curl's headers.
#pragma once
#include "async/task.hpp"

#include <memory>

namespace recruiting::transfer {

struct easy_deleter {
    void operator()(void* easy) const noexcept;
};
/// A CURL*: one transfer, prepared by a protocol.
using easy_handle = std::unique_ptr<void, easy_deleter>;
/// Throws std::bad_alloc when curl can't make one.
[[nodiscard]] easy_handle new_easy();

struct ending {
    int code{0};         // CURLcode
    bool aborted{false}; // by abort, or because the engine was destroyed
};

class engine {
public:
    explicit engine(asio::io_context& context);
    /// Transfers in progress end aborted; their coroutines are resumed if the io_context still runs.
    ~engine();
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;

    /// Carries a transfer out. The handle and all that its options point to must live until it has ended.
    [[nodiscard]] task<ending> perform(void* easy);
    /// Ends a transfer at once; nothing happens when it is not in progress.
    void abort(void* easy);
    [[nodiscard]] std::size_t in_flight() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::transfer
