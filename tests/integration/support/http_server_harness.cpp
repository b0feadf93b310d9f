#include "integration/support/http_server_harness.hpp"

#include "http/handler.hpp"
#include "http/problem.hpp"
#include "http/server.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <stdexcept>
#include <sys/socket.h>

namespace recruiting::test {
namespace {

constexpr std::chrono::milliseconds poll_interval{2};

class pieces final : public http::body_source {
public:
    explicit pieces(int fails_after) : fails_after_(fails_after) {}
    task<bool> next(std::string& out) override {
        if (given_ == fails_after_) throw std::runtime_error("the source failed");
        out += "piece " + std::to_string(++given_) + "\n";
        co_return given_ < 3;
    }

private:
    int fails_after_;
    int given_{0};
};

class test_handler final : public http::handler {
public:
    task<http::response> handle(http::request const& req) override {
        ++handled;
        if (on_body) on_body(req.body);
        http::response answer;
        answer.content_type = "text/plain";
        if (req.path == "/wait") {
            waiting = true;
            while (!released) co_await sleep_for(poll_interval);
            waiting = false;
        } else if (req.path == "/readyz") {
            answer.status = draining ? 503 : 200;
        } else if (req.path == "/throw") {
            throw std::runtime_error("on purpose");
        } else if (req.path == "/close") {
            answer.close = true;
        } else if (req.path == "/stream" || req.path == "/cut") {
            answer.stream = std::make_shared<pieces>(req.path == "/cut" ? 1 : -1);
        } else if (req.path == "/large") {
            answer.body.assign(8 * 1024 * 1024, 'x');
        } else if (req.path == "/nothing") {
            answer.status = 204;
        } else {
            answer.body.append(req.method).append(" ").append(req.path).append("|").append(req.query);
            answer.body.append("|").append(req.body).append("|").append(req.header("X-Test"));
        }
        co_return answer;
    }
    task<http::response> reject(http::request const& req, api_error const& error) override {
        auto const request_id = req.header("X-Request-Id");
        co_return http::problem_response(error, request_id.empty() ? "rejected" : request_id, {});
    }

    task<std::optional<api_error>> refuse_head(http::request const& req) override {
        auto const wish = req.header("X-Refuse");
        if (wish == "throw") throw std::runtime_error("on purpose");
        if (wish.empty()) co_return std::nullopt;
        co_return make_error(error_code::missing_credential);
    }

    std::atomic<int> handled{0};
    std::atomic<bool> waiting{false};
    std::atomic<bool> released{false};
    bool draining{false}; // of the server's thread
    std::function<void(std::string_view)> on_body;
};

http::server_settings settings_of(harness_settings const& from) {
    http::server_settings settings;
    settings.listen = {"127.0.0.1", from.port, {}};
    settings.headers_limit = from.headers_limit;
    settings.body_limit = from.body_limit;
    settings.read_timeout = from.read_timeout;
    settings.idle_timeout = from.idle_timeout;
    settings.write_timeout = from.write_timeout;
    settings.drain_delay = from.drain_delay;
    return settings;
}

} // namespace

struct http_server_harness::state {
    explicit state(harness_settings const& settings)
        : ticks(context, std::chrono::milliseconds{10}), server(context, ticks, settings_of(settings), handler),
          port(server.local().port) {
        handler.on_body = settings.on_body;
        server.listen();
        thread = std::thread([this] { context.run(); });
    }

    template <class Work>
    auto on_thread(Work work) {
        std::packaged_task<decltype(work())()> packaged(std::move(work));
        auto outcome = packaged.get_future();
        asio::post(context, std::move(packaged));
        return outcome.get();
    }

    asio::io_context context{1};
    ticker ticks;
    test_handler handler;
    http::server server;
    std::uint16_t port;
    std::thread thread;
};

http_server_harness::http_server_harness(harness_settings const& settings)
    : state_(std::make_unique<state>(settings)) {}

http_server_harness::~http_server_harness() {
    state_->handler.released = true;
    state_->on_thread([s = state_.get()] { s->server.close(); });
    static_cast<void>(eventually([this] { return connections() == 0; }));
    state_->context.stop();
    state_->thread.join();
}

std::uint16_t http_server_harness::port() const { return state_->port; }
void http_server_harness::release() { state_->handler.released = true; }
void http_server_harness::drain() {
    state_->on_thread([s = state_.get()] {
        s->handler.draining = true;
        s->server.drain();
    });
}
void http_server_harness::close() {
    state_->on_thread([s = state_.get()] { s->server.close(); });
}
bool http_server_harness::drained() const {
    return state_->on_thread([s = state_.get()] { return s->server.drained(); });
}
std::size_t http_server_harness::connections() const {
    return state_->on_thread([s = state_.get()] { return s->server.connections(); });
}
int http_server_harness::handled() const { return state_->handler.handled; }
bool http_server_harness::waiting() const { return state_->handler.waiting; }

std::uint16_t own_port() {
    int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int const shared = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &shared, sizeof shared);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd, generic, size) != 0 || ::getsockname(fd, generic, &size) != 0)
        throw std::runtime_error("no port is free");
    return ntohs(address.sin_port);
}

} // namespace recruiting::test
