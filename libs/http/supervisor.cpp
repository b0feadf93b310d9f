#include "http/supervisor.hpp"

#include "core/text.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace recruiting::http::supervisor {
namespace {

// sd_notify(3) without its library: one datagram to $NOTIFY_SOCKET.
void notify(std::string_view state) noexcept {
    char const* const path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    auto const size = std::strlen(path);
    if (size >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, path, size);
    if (path[0] == '@') address.sun_path[0] = '\0';
    int const fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr const*>(&address),
             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
    ::close(fd);
}

} // namespace

void ready() noexcept { notify("READY=1"); }

// The time tells this reload from one before it.
void reloading() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    auto const microseconds = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1'000;
    notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void stopping(std::chrono::milliseconds at_most) noexcept {
    constexpr std::chrono::seconds to_end{10}; // from the last request to the process's end
    auto const timeout = std::chrono::microseconds{at_most + to_end}.count();
    notify("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + std::to_string(timeout));
}

void alive() noexcept { notify("WATCHDOG=1"); }

std::optional<std::chrono::microseconds> watch_interval(char const* usec, char const* pid, long own_pid) noexcept {
    if (usec == nullptr) return std::nullopt;
    if (pid != nullptr && parse_number<long>(pid) != own_pid) return std::nullopt;
    auto const interval = parse_number<long>(usec);
    if (!interval || *interval <= 0) return std::nullopt;
    return std::chrono::microseconds{*interval};
}

std::optional<std::chrono::microseconds> watch_interval() noexcept {
    return watch_interval(std::getenv("WATCHDOG_USEC"), std::getenv("WATCHDOG_PID"), ::getpid());
}

} // namespace recruiting::http::supervisor
