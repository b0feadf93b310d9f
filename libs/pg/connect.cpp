#include "pg/connect.hpp"

#include "core/text.hpp"
#include "pg/url.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <csignal>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace recruiting::pg {
namespace {

using descriptor = asio::posix::basic_stream_descriptor<io_executor>;

// The connection string with one of its hosts; what is empty is left to libpq.
connection_options options_for(std::string const& url, known_servers::host const& host) {
    auto options = options_of(url).value_or(connection_options{});
    options["host"] = host.name;
    options["hostaddr"] = host.address;
    options["port"] = host.port;
    return options;
}

// Options as libpq takes them: two arrays that end with a null.
struct keyword_arrays {
    explicit keyword_arrays(connection_options const& options) {
        for (auto const& [keyword, value] : options) {
            keywords.push_back(keyword.c_str());
            values.push_back(value.c_str());
        }
        keywords.push_back(nullptr);
        values.push_back(nullptr);
    }
    std::vector<char const*> keywords;
    std::vector<char const*> values;
};

PGPing ping(connection_options const& options) {
    keyword_arrays const given(options);
    return PQpingParams(given.keywords.data(), given.values.data(), 0);
}

connection_handle start(connect_request const& request, known_servers::host const& host,
                        std::string const& session_attributes) {
    auto options = options_for(request.url, host);
    options["application_name"] = request.application_name;
    options["client_encoding"] = "UTF8";
    options["target_session_attrs"] = session_attributes;
    keyword_arrays const given(options);
    connection_handle connection(PQconnectStartParams(given.keywords.data(), given.values.data(), 0));
    // libpq would write notices to standard error, past the log.
    PQsetNoticeProcessor(connection.get(), drop_notice, nullptr);
    return connection;
}

// libpq may open another descriptor at each step (the next address), and its number can be the same: assigned afresh
// every time, or epoll keeps watching the old one.
void watch(descriptor& socket, PGconn* connection) {
    if (socket.is_open()) socket.release();
    socket.assign(PQsocket(connection));
}

// Drives libpq to the end of its attempt: what it ended with, or nothing when that took too long.
task<std::optional<PostgresPollingStatusType>> drive(ticker& clock, PGconn* connection, descriptor& socket,
                                                     std::chrono::milliseconds timeout) {
    auto const deadline = clock.now() + timeout;
    bool timed_out = false;
    auto const subscription = clock.subscribe([&](coarse_clock::time_point now) {
        if (now < deadline) return;
        timed_out = true;
        boost::system::error_code ignored;
        if (socket.is_open()) socket.cancel(ignored);
    });
    auto step = PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (!timed_out && (step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING)) {
        watch(socket, connection);
        auto const direction = step == PGRES_POLLING_READING ? asio::posix::descriptor_base::wait_read
                                                             : asio::posix::descriptor_base::wait_write;
        auto const [error] = co_await socket.async_wait(direction, use_task_tuple);
        if (timed_out) break;
        step = error ? PGRES_POLLING_FAILED : PQconnectPoll(connection);
    }
    clock.unsubscribe(subscription);
    if (timed_out) co_return std::nullopt;
    co_return step;
}

std::string text_of(std::string const& before, known_servers::host const& host, std::string_view what) {
    auto const& name = host.name.empty() ? host.address : host.name;
    return before + (before.empty() ? "" : "; ") + name + (name.empty() ? "" : ": ") + std::string(trim(what));
}

constexpr std::chrono::milliseconds first_pause{20};
constexpr std::chrono::milliseconds longest_cancel_pause{1'000};
constexpr std::chrono::minutes longest_silence{2};

struct free_cancel {
    void operator()(PGcancel* cancel) const noexcept { PQfreeCancel(cancel); }
};

// How many segments the input that has come answers.
std::size_t take_answers(PGconn* connection) {
    std::size_t segments = 0;
    int nothing = 0;
    // A null also follows each statement's result.
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
    while (cancel && segments > 0 && std::chrono::steady_clock::now() - heard < longest_silence) {
        std::array<char, 256> why{};
        static_cast<void>(PQcancel(cancel.get(), why.data(), static_cast<int>(why.size())));
        pollfd answer{PQsocket(connection), POLLIN, 0};
        if (::poll(&answer, 1, static_cast<int>(pause.count())) > 0) {
            pause = first_pause;
            heard = std::chrono::steady_clock::now();
        } else {
            // A cancel that comes between two statements has no effect.
            pause = std::min(pause * 2, longest_cancel_pause);
        }
        if (PQconsumeInput(connection) != 1 || PQstatus(connection) != CONNECTION_OK) return;
        segments -= std::min(segments, take_answers(connection));
    }
}

} // namespace

void drop_notice(void*, char const*) {}

void finish_connection::operator()(pg_conn* connection) const noexcept { PQfinish(connection); }

task<connect_result> connect(ticker& clock, connect_request const& request, known_servers& servers,
                             descriptor& socket) {
    connect_result out;
    auto const timeout = servers.connect_timeout().value_or(request.timeout);
    auto const hosts = servers.to_try(clock.now());
    for (auto const& attributes : servers.session_attributes()) {
        for (auto const index : hosts) {
            auto const& host = servers.at(index);
            auto connection = start(request, host, attributes);
            auto const ended = co_await drive(clock, connection.get(), socket, timeout);
            if (ended) servers.answered(index);
            else servers.silent(index, clock.now());
            if (ended == PGRES_POLLING_OK && PQsetnonblocking(connection.get(), 1) == 0) {
                watch(socket, connection.get());
                out.connection = std::move(connection);
                out.host = index;
                co_return out;
            }
            std::string_view const why = ended ? PQerrorMessage(connection.get()) : "no reply in time";
            out.why = text_of(out.why, host, why.substr(0, why.find('\n')));
            if (socket.is_open()) socket.release(); // before PQfinish closes the descriptor
        }
    }
    co_return out;
}

connect_result connect_now(connect_request const& request, known_servers& servers) try {
    connect_result out;
    std::exception_ptr failure;
    asio::io_context context{1};
    ticker clock(context);
    descriptor socket(context);
    asio::co_spawn(context, connect(clock, request, servers, socket), [&](std::exception_ptr why, connect_result made) {
        failure = std::move(why);
        out = std::move(made);
        clock.stop();
    });
    context.run();
    if (failure) std::rethrow_exception(failure);
    if (socket.is_open()) socket.release();
    if (out.connection) PQsetnonblocking(out.connection.get(), 0);
    return out;
} catch (boost::system::system_error const& error) { // no descriptor is left for its loop
    connect_result out;
    out.why = error.what();
    return out;
}

bool is_accepting(std::string const& url, known_servers& servers) {
    auto const hosts = servers.to_try(coarse_clock::now());
    return std::any_of(hosts.begin(), hosts.end(), [&](std::size_t index) {
        auto options = options_for(url, servers.at(index));
        options.try_emplace("connect_timeout", "5");
        return ping(options) == PQPING_OK;
    });
}

bool is_silent(PGconn* connection) {
    connection_options options;
    std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> const own(PQconninfo(connection), PQconninfoFree);
    for (auto const* one = own.get(); one != nullptr && one->keyword != nullptr; ++one)
        if (one->val != nullptr) options[one->keyword] = one->val;
    options["hostaddr"] = PQhostaddr(connection); // of several that the name has
    options["connect_timeout"] = "3";
    return ping(options) == PQPING_NO_RESPONSE;
}

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
    } catch (std::system_error const&) { // without a thread, the connection is closed as it is
        --*count;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::string error_field(pg_result const* result, int code) {
    char const* const text = PQresultErrorField(result, code);
    return text == nullptr ? "" : text;
}

query_error error_of(pg_result const* result) {
    return {error_field(result, PG_DIAG_SQLSTATE), error_field(result, PG_DIAG_MESSAGE_PRIMARY),
            error_field(result, PG_DIAG_CONSTRAINT_NAME)};
}

bool ends_connection(pg_result const* result) {
    auto const state = error_field(result, PG_DIAG_SQLSTATE);
    return state.starts_with("57P") || state == "25006" || state.empty();
}

} // namespace recruiting::pg
