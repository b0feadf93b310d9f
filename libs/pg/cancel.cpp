#include "pg/cancel.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace recruiting::pg {
namespace {

constexpr std::chrono::milliseconds first_pause{20};
constexpr std::chrono::milliseconds longest_cancel_pause{1'000};
constexpr std::chrono::minutes patience{2};

struct free_cancel {
    void operator()(PGcancel* cancel) const noexcept { PQfreeCancel(cancel); }
};

// How many segments were answered by what has come.
std::size_t take_answers(PGconn* connection) {
    std::size_t segments = 0;
    int nothing = 0;
    // Nothing also stands after each statement's result.
    while (nothing < 3 && PQstatus(connection) == CONNECTION_OK && PQisBusy(connection) == 0) {
        PGresult* const result = PQgetResult(connection);
        nothing = result == nullptr ? nothing + 1 : 0;
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) ++segments;
        PQclear(result);
    }
    return segments;
}

void cancel_all(PGconn* connection, std::size_t segments) {
    std::unique_ptr<PGcancel, free_cancel> const cancel(PQgetCancel(connection));
    auto pause = first_pause;
    auto heard = std::chrono::steady_clock::now();
    while (cancel && segments > 0 && std::chrono::steady_clock::now() - heard < patience) {
        std::array<char, 256> why{};
        static_cast<void>(PQcancel(cancel.get(), why.data(), static_cast<int>(why.size())));
        pollfd answer{PQsocket(connection), POLLIN, 0};
        if (::poll(&answer, 1, static_cast<int>(pause.count())) > 0) {
            pause = first_pause;
            heard = std::chrono::steady_clock::now();
        } else {
            pause =
                std::min(pause * 2, longest_cancel_pause); // a cancel that comes between two statements has no effect
        }
        if (PQconsumeInput(connection) != 1 || PQstatus(connection) != CONNECTION_OK) return;
        segments -= std::min(segments, take_answers(connection));
    }
}

} // namespace

void abandon(connection_handle connection, std::size_t segments, abandoned_count const& count) noexcept {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // signals are the other threads' affair
    ++*count;
    try {
        std::thread([of = std::move(connection), segments, count]() mutable {
            cancel_all(of.get(), segments);
            of.reset();
            --*count;
        }).detach();
    } catch (std::system_error const&) { // no thread to be had: it is closed as it is
        --*count;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace recruiting::pg
