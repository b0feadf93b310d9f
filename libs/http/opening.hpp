// How a program begins to serve: no thread of it listens before every thread is usable, for the kernel gives a
// connection to any of them, and away from a process that served the same address until now.
#pragma once
#include "async/socket.hpp"
#include "http/thread_part.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace recruiting::http {

/// Without a predecessor a program listens after this time even if it is not usable: it must start before what it
/// depends on, answers 503 and recovers by itself. Longer than reading 100,000 published jobs takes.
inline constexpr std::chrono::milliseconds longest_start{2'000};
/// With a predecessor that is ready it gives up instead, after a time in which PostgreSQL may fail over.
inline constexpr std::chrono::milliseconds longest_takeover{20'000};

struct thread_to_open {
    asio::io_context& context;
    thread_part& part; // used on the context's thread
};

struct opening_calls {                                    // in the context beside the threads
    std::function<bool()> is_wanted;                      // before any thread listens; false: the program ends already
    std::function<void(std::string const& why_not)> done; // "": all threads listen
};

/// Waits until every part is usable, and lets all of them listen. `beside` outlives the threads' contexts.
/// has_predecessor: another process is ready on the same address; it is left alone until all of this program is usable.
void open_when_usable(asio::io_context& beside, std::vector<thread_to_open> threads, bool has_predecessor,
                      opening_calls calls);

} // namespace recruiting::http
