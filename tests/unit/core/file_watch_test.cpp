#include "core/file.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace file_watch_test {
using namespace recruiting;

namespace {

file_marks marks(std::int64_t certificate, std::int64_t key) {
    return {file_mark{1, 2, 100, certificate}, file_mark{1, 3, 100, key}};
}

} // namespace

TEST_CASE("a change is told once, when it was the same at two looks", "[gateway][file_watch]") {
    change_detector detector(marks(1, 1));
    REQUIRE_FALSE(detector.observe(marks(1, 1)));
    REQUIRE_FALSE(detector.observe(marks(2, 1))); // the certificate is there, its key not yet
    REQUIRE_FALSE(detector.observe(marks(2, 2)));
    REQUIRE(detector.observe(marks(2, 2)));
    REQUIRE_FALSE(detector.observe(marks(2, 2)));
}

TEST_CASE("a change that was taken back is none", "[gateway][file_watch]") {
    change_detector detector(marks(1, 1));
    REQUIRE_FALSE(detector.observe(marks(2, 1)));
    REQUIRE_FALSE(detector.observe(marks(1, 1)));
    REQUIRE_FALSE(detector.observe(marks(1, 1)));
}

TEST_CASE("a swapped link, another content and a missing file look different", "[gateway][file_watch]") {
    namespace fs = std::filesystem;
    auto const directory = fs::temp_directory_path() / ("file_watch_" + std::to_string(::getpid()));
    fs::create_directories(directory);
    auto const write = [&](char const* name, char const* content) { std::ofstream(directory / name) << content; };
    write("one", "1");
    write("two", "1");
    fs::create_symlink(directory / "one", directory / "link");
    auto const look = [&] { return marks_of({(directory / "link").string()}); };

    auto const first = look();
    fs::remove(directory / "link");
    REQUIRE(look() == file_marks{file_mark{}});
    fs::create_symlink(directory / "two", directory / "link");
    auto const second = look();
    REQUIRE(second != first);
    write("two", "22");
    REQUIRE(look() != second);
    fs::remove_all(directory);
}

TEST_CASE("a watch calls from its thread, and ends with its object", "[gateway][file_watch]") {
    namespace fs = std::filesystem;
    auto const path = fs::temp_directory_path() / ("file_watch_one_" + std::to_string(::getpid()));
    std::ofstream(path) << "1";
    std::atomic<int> calls{0};
    {
        file_watch const watch({path.string()}, std::chrono::milliseconds{5}, [&calls] {
            calls.fetch_add(1);
            calls.notify_all();
        });
        std::ofstream(path) << "another";
        calls.wait(0);
    }
    REQUIRE(calls.load() >= 1);
    fs::remove(path);
}

} // namespace file_watch_test
