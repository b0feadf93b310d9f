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

} // namespace

TEST_CASE("a thread's first connection is served when descriptors have run out", "[stream]") {
    asio::io_context context{1};
    ticker ticks{context};
    stream_watch watch{context, ticks};
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    stream_socket accepted(context, asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
    {
        no_descriptors const none;
        REQUIRE(::dup(0) < 0);
        stream served(std::move(accepted), watch);
        REQUIRE(::send(ends[1], "x", 1, 0) == 1);
        byte_buffer into;
        CHECK(served.try_read(into) == read_outcome::data);
    }
    ::close(ends[1]);
    watch.stop();
}

} // namespace stream_descriptors_test
