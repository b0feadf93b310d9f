#include "recruitctl/doctor/bounded.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::size_t most_output = 64 * 1024;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (auto& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

// Its number, or 0 and why.
pid_t start(std::string const& path, std::vector<std::string> const& arguments,
            std::map<std::string, std::string> const& environment, std::string const& directory, int output,
            std::string& why) {
    std::vector<std::string> words{path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables;
    for (auto const& [name, value] : environment) variables.push_back(name + "=" + value);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    pid_t child = 0;
    auto const error = ::posix_spawn(&child, path.c_str(), &actions, nullptr, pointers_to(words).data(),
                                     pointers_to(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0) return child;
    why = std::strerror(error);
    return 0;
}

// false: it was not done in time.
bool read_all(int from, std::chrono::steady_clock::time_point until, std::string& into) {
    std::array<char, 4096> buffer{};
    for (;;) {
        auto const left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
        pollfd waiting{from, POLLIN, 0};
        auto const ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        auto const size = ::read(from, buffer.data(), buffer.size());
        if (size <= 0) return true;
        if (into.size() < most_output) into.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

} // namespace

ended_program run_program(std::string const& path, std::vector<std::string> const& arguments,
                          std::map<std::string, std::string> const& environment, std::chrono::milliseconds limit,
                          std::string const& directory) {
    ended_program out;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        out.why = std::strerror(errno);
        return out;
    }
    auto const child = start(path, arguments, environment, directory, ends[1], out.why);
    ::close(ends[1]);
    bool const in_time = child != 0 && read_all(ends[0], std::chrono::steady_clock::now() + limit, out.output);
    ::close(ends[0]);
    if (child == 0) return out;
    if (!in_time) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time) out.why = "it timed out";
    else if (WIFEXITED(status)) out.code = WEXITSTATUS(status);
    else out.why = "it was killed by signal " + std::to_string(WTERMSIG(status));
    return out;
}

} // namespace recruiting::recruitctl::doctor
