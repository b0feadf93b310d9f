#include "recruitctl/top/terminal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <system_error>
#include <termios.h>
#include <unistd.h>

namespace recruiting::recruitctl::top {
namespace {

// The other screen, no cursor, no wrapping of long lines; and back.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
constexpr std::string_view leave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array crashes = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// A signal can come at any instant: what its handler needs lies here.
termios before{};
std::array<int, 2> waker{-1, -1};
std::atomic<bool> ended{false};
std::atomic<bool> resized{false};

void write_all(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        auto const size = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
}

void wake_up() noexcept {
    char const byte = 0;
    [[maybe_unused]] auto const size = ::write(waker[1], &byte, 1); // full: somebody is woken already
}

void take_over() noexcept {
    auto raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    write_all(enter);
}

void give_back() noexcept {
    write_all(leave);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

void on_ending(int) {
    ended = true;
    wake_up();
}
void on_resize(int) {
    resized = true;
    wake_up();
}
// ctrl-Z: the shell gets its screen back, and we ours when we go on.
void on_stop(int) {
    auto const error = errno;
    give_back();
    ::raise(SIGSTOP);
    take_over();
    resized = true;
    wake_up();
    errno = error;
}
void on_crash(int which) {
    give_back();
    ::signal(which, SIG_DFL);
    ::raise(which);
}

void handle(int which, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(which, &action, nullptr);
}

std::string_view code_of(style how) noexcept {
    switch (how) {
    case style::plain: return "";
    case style::head: return "\x1b[1m";
    case style::good: return "\x1b[32m";
    case style::bad: return "\x1b[1;31m";
    case style::faint: return "\x1b[2m";
    }
    return "";
}

} // namespace

key meaning_of(std::string_view bytes) noexcept {
    if (bytes.empty()) return key::none;
    if (bytes.starts_with("\x1b[A") || bytes.starts_with("\x1bOA") || bytes.front() == 'k') return key::up;
    if (bytes.starts_with("\x1b[B") || bytes.starts_with("\x1bOB") || bytes.front() == 'j') return key::down;
    switch (bytes.front()) {
    case 'q':
    case 'Q':
    case '\x03': // ctrl-C where the terminal makes no signal of it
    case '\x04': return key::quit;
    case 'p':
    case ' ': return key::pause;
    case 's': return key::sort;
    case '?':
    case 'h': return key::help;
    default: return key::other;
    }
}

std::string render(std::vector<line> const& lines, bool colour) {
    std::string out = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // What stood there goes first: at the last column the cursor stays on what was written, and would erase that.
        out += i > 0 ? "\r\n\x1b[K" : "\x1b[K";
        for (auto const& part : lines[i]) {
            auto const code = colour ? code_of(part.how) : std::string_view();
            out.append(code).append(part.text).append(code.empty() ? "" : "\x1b[0m");
        }
    }
    return out;
}

terminal::terminal() {
    if (::tcgetattr(STDIN_FILENO, &before) != 0 || ::isatty(STDOUT_FILENO) != 1)
        throw std::system_error(errno, std::generic_category(), "this is no terminal");
    if (::pipe2(waker.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::system_error(errno, std::generic_category(), "no pipe");
    ended = resized = false;
    for (auto const which : ending) handle(which, on_ending);
    for (auto const which : crashes) handle(which, on_crash);
    handle(SIGWINCH, on_resize);
    handle(SIGTSTP, on_stop);
    take_over();
}

terminal::~terminal() {
    give_back();
    for (auto const which : ending) handle(which, SIG_DFL);
    for (auto const which : crashes) handle(which, SIG_DFL);
    handle(SIGWINCH, SIG_DFL);
    handle(SIGTSTP, SIG_DFL);
    for (auto& end : waker) {
        ::close(end);
        end = -1;
    }
}

screen_size terminal::size() {
    winsize told{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &told) != 0 || told.ws_col == 0 || told.ws_row == 0) return {};
    return {told.ws_col, told.ws_row};
}

void terminal::show(std::vector<line> const& lines, bool colour) { write_all(render(lines, colour)); }

key terminal::wait(std::chrono::milliseconds most) {
    std::array<pollfd, 2> waiting{{{STDIN_FILENO, POLLIN, 0}, {waker[0], POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(most.count()));
    std::array<char, 64> bytes{};
    if ((waiting[1].revents & POLLIN) != 0)
        while (::read(waker[0], bytes.data(), bytes.size()) > 0) {
        }
    if (ended) return key::quit;
    if (resized.exchange(false)) return key::resized;
    if ((waiting[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0) return key::none;
    auto const size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (size <= 0) return key::quit; // the terminal is gone
    return meaning_of({bytes.data(), static_cast<std::size_t>(size)});
}

void terminal::wake() noexcept { wake_up(); }

} // namespace recruiting::recruitctl::top
