#include "gateway/health_check.hpp"

#include "gateway/limited_socket.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace recruiting::gateway {
namespace {

check_result reached(connect_result how) noexcept {
    return how == connect_result::refused ? check_result::refused : check_result::silent;
}

task<check_result> ask(asio::io_context& context, socket_address const& where, std::string_view path,
                       std::chrono::milliseconds limit) {
    limited_socket socket(context, limit);
    auto const connected = co_await socket.connect(where);
    if (connected != connect_result::made) co_return reached(connected);
    std::string const request = "GET " + std::string(path) +
                                " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: recruiting-gateway\r\nConnection: "
                                "close\r\n\r\n";
    auto const bytes = asio::buffer(request);
    auto const [failed, sent] = co_await asio::async_write(socket.get(), bytes, use_task_tuple);
    static_cast<void>(sent);
    std::array<char, 256> received{};
    std::size_t size = 0;
    while (!failed) {
        auto const room = asio::buffer(received.data() + size, received.size() - size);
        auto const [error, got] = co_await socket.get().async_read_some(room, use_task_tuple);
        size += got;
        auto const said = read_check_answer({received.data(), size});
        if (said) co_return *said;
        if (error) break;
    }
    co_return check_result::silent;
}

} // namespace

std::optional<check_result> read_check_answer(std::string_view received) noexcept {
    constexpr std::string_view start = "HTTP/1.";
    auto const seen = received.substr(0, start.size());
    if (seen != start.substr(0, seen.size())) return check_result::unready;
    if (received.size() < 12) return std::nullopt;
    return received[8] == ' ' && received[9] == '2' ? check_result::ready : check_result::unready;
}

task<check_result> check_health(asio::io_context& context, std::shared_ptr<upstream_target> target,
                                std::string_view path, std::chrono::milliseconds limit, tls_client const* tls) {
    if (target->health) {
        auto const told = co_await ask(context, *target->health, path, limit);
        if (told == check_result::ready || told == check_result::unready) co_return told;
    }
    limited_socket socket(context, limit);
    auto const connected = co_await socket.connect(target->where);
    if (connected != connect_result::made) co_return reached(connected);
    if (tls != nullptr) {
        auto session = tls->connect_session(target->name);
        auto const fault = co_await socket.handshake(session);
        if (fault) co_return check_result::refused;
    }
    co_return target->health ? check_result::unready : check_result::ready;
}

} // namespace recruiting::gateway
