#include "recruitctl/top/terminal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array crashes = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr short good_pair = 1;
constexpr short bad_pair = 2;

// A signal can come at any instant: what its handler needs lies here.
std::array<int, 2> waker{-1, -1};
std::atomic<bool> ended{false};
SCREEN* screen = nullptr;

void wake_up() noexcept {
    char const byte = 0;
    [[maybe_unused]] auto const size = ::write(waker[1], &byte, 1); // a full pipe has a wake-up in it already
}

void on_ending(int) {
    auto const error = errno;
    ended = true;
    wake_up();
    errno = error;
}
// endwin is not made for signal handlers; the process is lost anyway, and mostly the operator gets the terminal back.
void on_crash(int which) {
    ::endwin();
    ::signal(which, SIG_DFL);
    ::raise(which);
}

void handle(int which, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(which, &action, nullptr);
}

void handle_signals() {
    for (auto const which : ending) handle(which, on_ending);
    for (auto const which : crashes) handle(which, on_crash);
}

void leave_signals() {
    for (auto const which : ending) handle(which, SIG_DFL);
    for (auto const which : crashes) handle(which, SIG_DFL);
}

void close_waker() noexcept {
    for (auto& end : waker) {
        ::close(end);
        end = -1;
    }
}

attr_t attributes_of(style how) noexcept {
    switch (how) {
    case style::plain: return A_NORMAL;
    case style::head: return A_BOLD;
    case style::good: return static_cast<attr_t>(COLOR_PAIR(good_pair));
    case style::bad: return A_BOLD | static_cast<attr_t>(COLOR_PAIR(bad_pair));
    case style::faint: return A_DIM;
    }
    return A_NORMAL;
}

void set_up_screen(bool colour) {
    ::cbreak();
    ::noecho();
    ::nonl();
    ::curs_set(0);
    ::set_escdelay(25); // a key's sequence arrives in one piece
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE); // poll waits
    if (!colour || !::has_colors()) return;
    ::start_color();
    ::use_default_colors();
    ::init_pair(good_pair, COLOR_GREEN, -1);
    ::init_pair(bad_pair, COLOR_RED, -1);
}

} // namespace

key meaning_of(int code) noexcept {
    switch (code) {
    case ERR: return key::none;
    case KEY_RESIZE: return key::resized;
    case KEY_UP:
    case 'k': return key::up;
    case KEY_DOWN:
    case 'j': return key::down;
    case 'q':
    case 'Q':
    case 3: // ctrl-C where the terminal makes no signal of it
    case 4: return key::quit;
    case 'p':
    case ' ': return key::pause;
    case 's': return key::sort;
    case '?':
    case 'h': return key::help;
    default: return key::other;
    }
}

terminal::terminal(bool colour) : colour_(colour) {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) throw std::runtime_error("this is no terminal");
    if (::pipe2(waker.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::system_error(errno, std::generic_category(), "no pipe");
    ended = false;
    handle_signals(); // before ncurses, which sets its own handlers only where there are none
    screen = ::newterm(nullptr, stdout, stdin);
    // A terminal that terminfo does not know understands what xterm does, nearly always.
    if (screen == nullptr) screen = ::newterm("xterm", stdout, stdin);
    if (screen == nullptr) {
        leave_signals();
        close_waker();
        throw std::runtime_error("this machine's terminfo does not know the terminal: set TERM, or use --once");
    }
    set_up_screen(colour);
}

terminal::~terminal() {
    ::endwin();
    ::delscreen(screen);
    leave_signals();
    close_waker();
}

screen_size terminal::size() {
    return {static_cast<std::size_t>(::getmaxx(stdscr)), static_cast<std::size_t>(::getmaxy(stdscr))};
}

void terminal::show(std::vector<line> const& lines) {
    ::werase(stdscr);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ::wmove(stdscr, static_cast<int>(i), 0);
        for (auto const& part : lines[i]) {
            ::wattrset(stdscr, colour_ ? static_cast<int>(attributes_of(part.how)) : 0);
            ::waddnstr(stdscr, part.text.data(), static_cast<int>(part.text.size()));
        }
    }
    ::wattrset(stdscr, 0);
    ::wrefresh(stdscr);
}

key terminal::wait(std::chrono::milliseconds most) {
    auto code = ::wgetch(stdscr); // ncurses may have read further than the last key
    bool hung_up = false;
    if (code == ERR && !ended) {
        std::array<pollfd, 2> waiting{{{STDIN_FILENO, POLLIN, 0}, {waker[0], POLLIN, 0}}};
        auto const ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(most.count()));
        std::array<char, 64> bytes{};
        while (::read(waker[0], bytes.data(), bytes.size()) > 0) {
        }
        hung_up = ready > 0 && waiting[0].revents != 0;
        code = ::wgetch(stdscr);
    }
    if (ended || (code == ERR && hung_up)) return key::quit; // readable and without a key: the terminal is gone
    return meaning_of(code);
}

void terminal::wake() noexcept { wake_up(); }

} // namespace recruiting::recruitctl::top
