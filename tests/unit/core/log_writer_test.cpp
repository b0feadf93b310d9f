#include "core/log_writer.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"

#include <climits>
#include <fcntl.h>
#include <future>
#include <thread>
#include <unistd.h>
#include <vector>

namespace log_writer_test {
using namespace recruiting;
using namespace std::chrono_literals;

namespace {

std::string drop_line(std::uint64_t lines) { return "dropped " + std::to_string(lines) + "\n"; }

struct pipe_ends {
    pipe_ends() { REQUIRE(::pipe2(ends, O_CLOEXEC) == 0); }
    ~pipe_ends() {
        close_reader();
        ::close(ends[1]);
    }
    pipe_ends(pipe_ends const&) = delete;
    pipe_ends& operator=(pipe_ends const&) = delete;
    void close_reader() {
        if (ends[0] >= 0) ::close(std::exchange(ends[0], -1));
    }
    // Reads until `last` ends what was read.
    [[nodiscard]] std::string read_until(std::string const& last) const {
        std::string all;
        std::vector<char> piece(64 * 1024);
        while (!all.ends_with(last)) {
            auto const size = ::read(ends[0], piece.data(), piece.size());
            if (size <= 0) break;
            all.append(piece.data(), static_cast<std::size_t>(size));
        }
        return all;
    }
    int ends[2]{};
};

} // namespace

TEST_CASE("lines that a healthy reader takes all arrive, whole and in order, from every thread", "[log]") {
    pipe_ends pipe;
    log::log_writer writer(pipe.ends[1], 64 * 1024 * 1024, drop_line);
    constexpr int threads = 4;
    constexpr std::size_t lines = 5'000;
    auto reading = std::async(std::launch::async, [&] { return pipe.read_until("end\n"); });
    {
        std::vector<std::jthread> putting;
        for (int t = 0; t < threads; ++t)
            putting.emplace_back([&writer, t] {
                for (std::size_t i = 0; i < lines; ++i)
                    writer.put(std::to_string(t) + " " + std::to_string(i) + std::string(i % 200, 'x') + "\n");
            });
    }
    writer.put("end\n");
    auto const all = reading.get();
    std::vector<std::size_t> next(threads);
    for (auto const line : split(all, '\n')) {
        if (line.empty() || line == "end") continue;
        auto const t = static_cast<std::size_t>(line.front() - '0');
        REQUIRE(t < next.size());
        REQUIRE(line.substr(2) == std::to_string(next[t]) + std::string(next[t] % 200, 'x'));
        ++next[t];
    }
    CHECK(next == std::vector<std::size_t>(threads, lines));
    CHECK(writer.dropped() == 0);
}

TEST_CASE("a stuck reader stops nobody: lines beyond the limit are dropped and counted, and the gap is reported",
          "[log]") {
    pipe_ends pipe;
    log::log_writer writer(pipe.ends[1], 256 * 1024, drop_line);
    constexpr std::uint64_t lines = 20'000;
    std::string const rest(100, 'x');
    for (std::uint64_t i = 0; i < lines; ++i) writer.put(std::to_string(i) + " " + rest + "\n"); // returns at all
    auto const dropped = writer.dropped();
    CHECK(dropped > 0);
    CHECK(dropped < lines);
    CHECK_FALSE(writer.flush(50ms));
    auto reading = std::async(std::launch::async, [&] { return pipe.read_until("after\n"); });
    REQUIRE(writer.flush(60s));
    writer.put("after\n");
    auto const all = reading.get();
    std::uint64_t kept = 0;
    std::uint64_t reported = 0;
    std::uint64_t next = 0; // where lines are missing, a report of as many stands
    for (auto const line : split(all, '\n')) {
        if (line.starts_with("dropped ")) {
            auto const gap = parse_number<std::uint64_t>(line.substr(8)).value_or(0);
            reported += gap;
            next += gap;
        } else if (line.ends_with(rest)) {
            REQUIRE(line == std::to_string(next++) + " " + rest);
            ++kept;
        }
    }
    CHECK(reported == dropped);
    CHECK(kept + dropped == lines);
    CHECK(writer.dropped() == dropped);
}

TEST_CASE("lines of other processes on the same pipe stay apart: no write to it is longer than PIPE_BUF", "[log]") {
    pipe_ends pipe;
    REQUIRE(::fcntl(pipe.ends[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
    // In packet mode, a read takes no more than one write.
    REQUIRE(::fcntl(pipe.ends[1], F_SETFL, O_DIRECT) == 0);
    log::log_writer writer(pipe.ends[1], 1 << 20, drop_line);
    std::string lines;
    for (int i = 0; i < 300; ++i) lines += std::to_string(i) + std::string(static_cast<std::size_t>(i), 'x') + "\n";
    writer.put(lines);
    REQUIRE(writer.flush(60s));
    std::string all;
    std::vector<char> piece(64 * 1024);
    while (all.size() < lines.size()) {
        auto const size = ::read(pipe.ends[0], piece.data(), piece.size());
        REQUIRE(size > 0);
        REQUIRE(size <= PIPE_BUF);
        REQUIRE(piece[static_cast<std::size_t>(size) - 1] == '\n');
        all.append(piece.data(), static_cast<std::size_t>(size));
    }
    CHECK(all == lines);
}

TEST_CASE("a reader that is gone costs its lines and nothing else", "[log]") {
    pipe_ends pipe;
    log::log_writer writer(pipe.ends[1], 1 << 20, drop_line);
    pipe.close_reader();
    writer.put("one\ntwo\n");
    REQUIRE(writer.flush(60s));
    CHECK(writer.dropped() == 2);
}

TEST_CASE("a writer ends while its reader is stuck", "[log]") {
    pipe_ends pipe;
    {
        log::log_writer writer(pipe.ends[1], 1 << 20, drop_line);
        writer.put(std::string(200'000, 'x') + "\n");
        CHECK_FALSE(writer.flush(10ms));
    }
    SUCCEED("the destructor did not wait");
}

TEST_CASE("a writer that has ended writes to no other file that gets its descriptor's number", "[log]") {
    pipe_ends pipe;
    pipe_ends other;
    REQUIRE(::fcntl(other.ends[0], F_SETFL, O_NONBLOCK) == 0);
    std::string lines; // for many writes to a pipe, of which the first fill it
    for (int i = 0; i < 200; ++i) lines += std::string(999, 'x') + "\n";
    {
        log::log_writer writer(pipe.ends[1], 1 << 20, drop_line);
        writer.put(lines);
        CHECK_FALSE(writer.flush(10ms));
    }
    REQUIRE(::dup2(other.ends[1], pipe.ends[1]) == pipe.ends[1]);
    CHECK(pipe.read_until("the end of the pipe").size() == lines.size()); // it ends when the writer's thread does
    char byte = 0;
    CHECK(::read(other.ends[0], &byte, 1) == -1);
}

} // namespace log_writer_test
