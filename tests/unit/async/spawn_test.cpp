// A task that must not fail ends the process, and the log has the reason.
#include "async/task.hpp"
#include "core/log.hpp"
#include "support/catch.hpp"

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace spawn_test {
using namespace recruiting;

namespace {

task<void> fail() {
    throw std::runtime_error("no more of it");
    co_return;
}

[[noreturn]] void run_and_fail(int output) {
    ::signal(SIGABRT, SIG_DFL); // Catch reports it otherwise
    ::dup2(output, STDOUT_FILENO);
    asio::io_context context{1};
    spawn(context, fail());
    context.run();
    ::_exit(0);
}

} // namespace

TEST_CASE("the reason why a task failed is written before the process ends", "[spawn]") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    auto const child = ::fork();
    if (child == 0) run_and_fail(ends[1]);
    ::close(ends[1]);
    std::string written;
    std::array<char, 4096> some{};
    for (ssize_t size = 0; (size = ::read(ends[0], some.data(), some.size())) > 0;)
        written.append(some.data(), static_cast<std::size_t>(size));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(written.find("\"event\":\"task_failed\",\"message\":\"no more of it\"") != std::string::npos);
}

} // namespace spawn_test
