#include "gateway/edge.hpp"

#include "async/listener.hpp"
#include "core/log.hpp"
#include "gateway/admin.hpp"
#include "gateway/session.hpp"
#include "http/server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <netinet/in.h>

namespace recruiting::gateway {
namespace {

using remote_endpoint = asio::generic::stream_protocol::endpoint;

// Clients on a unix socket are this machine's own. IPv4 in its mapped form, as core/ip has it.
ip_address address_of(remote_endpoint const& remote) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}};
    if (remote.protocol().family() == AF_INET && remote.size() >= sizeof(sockaddr_in)) {
        sockaddr_in v4{};
        std::memcpy(&v4, remote.data(), sizeof v4);
        std::memcpy(out.bytes.data() + 12, &v4.sin_addr, 4);
    } else if (remote.protocol().family() == AF_INET6 && remote.size() >= sizeof(sockaddr_in6)) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, remote.data(), sizeof v6);
        std::memcpy(out.bytes.data(), &v6.sin6_addr, 16);
    }
    return out;
}

task<void> serve(socket_type socket, ip_address peer, std::shared_ptr<worker> of) {
    session connection(std::move(socket), peer, std::move(of));
    co_await connection.run();
}

constexpr std::chrono::milliseconds accept_pause{50};

// accept() fails for a while when descriptors run out: it is tried again, the listener never ends by itself.
task<void> accept_clients(std::shared_ptr<stream_acceptor> acceptor, std::shared_ptr<worker> of) {
    for (;;) {
        socket_type socket(of->context);
        remote_endpoint remote;
        auto const [error] = co_await acceptor->async_accept(socket, remote, use_task_tuple);
        if (!acceptor->is_open()) co_return;
        if (error) {
            log::warning("accept_failed", {{"message", error.message()}});
            co_await sleep_for(accept_pause);
            continue;
        }
        spawn(of->context, serve(std::move(socket), address_of(remote), of));
    }
}

class edge final : public http::thread_part {
public:
    edge(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time, bool with_admin)
        : worker_(std::make_shared<worker>(context, clock, shared.settings, shared.counters, shared.table, time)),
          acceptor_(std::make_shared<stream_acceptor>(context)) {
        listen_on(*acceptor_, shared.settings.listen);
        spawn(context, accept_clients(acceptor_, worker_));
        if (!with_admin) return;
        admin_ = std::make_unique<admin>(shared.registry, *worker_);
        http::server_settings admin_settings;
        admin_settings.listen = shared.settings.admin_listen;
        admin_server_.emplace(context, clock, admin_settings, *admin_);
    }
    ~edge() override {
        stop_accepting();
        admin_server_.reset();
        worker_->stop();
    }

    void drain() override {
        stop_accepting();
        worker_->draining = true;
        for (auto* one : worker_->sessions) one->drain();
    }
    [[nodiscard]] bool idle() const noexcept override { return worker_->sessions.empty(); }
    void close() override {
        for (auto* one : worker_->sessions) one->close();
        if (admin_server_) admin_server_->close();
    }

private:
    void stop_accepting() noexcept {
        boost::system::error_code ignored;
        acceptor_->close(ignored);
    }

    std::shared_ptr<worker> worker_;
    std::shared_ptr<stream_acceptor> acceptor_;
    std::unique_ptr<admin> admin_;
    std::optional<http::server> admin_server_;
};

} // namespace

std::unique_ptr<http::thread_part> make_edge(asio::io_context& context, ticker& clock, shared_parts& shared,
                                             time_source const& time, bool with_admin) {
    return std::make_unique<edge>(context, clock, shared, time, with_admin);
}

} // namespace recruiting::gateway
