// A process without a free descriptor keeps what it has accepted: a thread's first connection needs no further one.
#include "crypto/stream.hpp"
#include "support/catch.hpp"

#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace stream_descriptors_test {
using namespace recruiting;

namespace {

// While it lives, no descriptor can be made.
class no_descriptors {
public:
    no_descriptors() {
        int const next = ::dup(0);
        ::close(next);
        ::getrlimit(RLIMIT_NOFILE, &usual_);
        auto less = usual_;
        less.rlim_cur = static_cast<rlim_t>(next);
        ::setrlimit(RLIMIT_NOFILE, &less);
    }
    ~no_descriptors() { ::setrlimit(RLIMIT_NOFILE, &usual_); }
    no_descriptors(no_descriptors const&) = delete;
    no_descriptors& operator=(no_descriptors const&) = delete;

private:
    rlimit usual_{};
};

// One served connection of a thread, and the test's end of it.
struct served_thread {
    asio::io_context context{1};
    ticker ticks{context};
    stream_watch watch{context, ticks};
    std::array<int, 2> ends{};

    served_thread() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
    ~served_thread() {
        ::close(ends[1]);
        watch.stop();
    }
    served_thread(served_thread const&) = delete;
    served_thread& operator=(served_thread const&) = delete;
    stream_socket accepted() { return {context, asio::generic::stream_protocol(AF_UNIX, 0), ends[0]}; }
};

} // namespace

TEST_CASE("a thread's first connection is served when descriptors have run out", "[stream]") {
    {
        // The undefined-behaviour sanitizer needs a descriptor when it meets a class for the first time.
        served_thread met;
        stream const served(met.accepted(), met.watch);
    }
    served_thread thread;
    auto accepted = thread.accepted();
    bool has_none = false;
    ssize_t sent = 0;
    auto outcome = read_outcome::closed;
    {
        no_descriptors const none;
        has_none = ::dup(0) < 0;
        stream served(std::move(accepted), thread.watch);
        sent = ::send(thread.ends[1], "x", 1, 0);
        byte_buffer into;
        if (auto const read = served.try_read(into)) outcome = *read;
    }
    REQUIRE(has_none);
    REQUIRE(sent == 1);
    CHECK(outcome == read_outcome::data);
}

} // namespace stream_descriptors_test
