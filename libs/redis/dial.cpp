#include "redis/dial.hpp"

#include "core/text.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

namespace recruiting::redis {

task<bool> dial(stream_socket& socket, resolver_type& resolver, endpoint const& where, bool const& given_up) {
    boost::system::error_code ignored;
    if (!where.unix_path.empty()) {
        socket_address const there = asio::local::stream_protocol::endpoint(where.unix_path);
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        co_return !error && !given_up;
    }
    auto const port = std::to_string(where.port);
    auto const [resolve_error, found] = co_await resolver.async_resolve(where.host, port, use_task_tuple);
    if (resolve_error || given_up) co_return false; // a cancelled resolver may have found the name all the same
    for (auto const& entry : found) {
        socket.close(ignored);
        socket_address const there = entry.endpoint();
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        if (given_up) co_return false;
        if (error) continue;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        co_return true;
    }
    co_return false;
}

task<bool> exchange(stream_socket& socket, batch const& commands, std::vector<reply>& replies) {
    auto const bytes = asio::buffer(commands.bytes());
    auto const [write_error, written] = co_await asio::async_write(socket, bytes, use_task_tuple);
    if (write_error) co_return false;
    reply_reader reader;
    std::array<char, 4096> input{};
    auto const expected = replies.size() + commands.size();
    while (replies.size() < expected) {
        auto const [error, size] = co_await socket.async_read_some(asio::buffer(input), use_task_tuple);
        if (error) co_return false;
        try {
            reader.feed({input.data(), size});
            for (auto next = reader.next(); next; next = reader.next()) replies.push_back(std::move(*next));
        } catch (protocol_error const&) {
            co_return false;
        }
    }
    co_return true;
}

void add_login(batch& commands, login const& as) {
    if (as.password.empty()) return;
    if (as.user.empty()) commands.add({"AUTH", as.password});
    else commands.add({"AUTH", as.user, as.password});
}

namespace {

// For one Sentinel: short, so that two which hang still leave time to find the new master within a second.
constexpr std::chrono::milliseconds question_limit{250};

} // namespace

std::optional<endpoint> read_master(reply const& said) {
    if (said.type != reply::kind::array || said.elements.size() != 2) return std::nullopt;
    auto const port = parse_number<std::uint16_t>(said.elements[1].text);
    if (!port || *port == 0 || said.elements[0].text.empty()) return std::nullopt;
    return endpoint{said.elements[0].text, *port, {}};
}

bool is_master(reply const& role) noexcept {
    return role.type == reply::kind::array && !role.elements.empty() && role.elements[0].text == "master";
}

sentinel_list::sentinel_list(asio::io_context& context, address const& of)
    : of_(of), socket_(context), resolver_(context), limit_(context) {}

task<std::optional<endpoint>> sentinel_list::ask() {
    for (std::size_t asked = 0; asked < of_.sentinels.size(); ++asked) {
        auto found = co_await ask_one(of_.sentinels[next_]);
        if (found) co_return found;
        try_next();
    }
    co_return std::nullopt;
}

task<std::optional<endpoint>> sentinel_list::ask_one(endpoint const& where) {
    given_up_ = false;
    limit_.expires_after(question_limit);
    limit_.async_wait([self = shared_from_this()](auto cancelled) {
        if (!cancelled) self->close();
    });
    batch question;
    bool good = true;
    if (!socket_.is_open()) {
        good = co_await dial(socket_, resolver_, where, given_up_);
        add_login(question, of_.at_sentinels);
    }
    question.add({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", of_.service});
    std::vector<reply> replies;
    if (good) good = co_await exchange(socket_, question, replies);
    limit_.cancel();
    if (!good) co_return std::nullopt;
    co_return read_master(replies.back());
}

void sentinel_list::try_next() {
    close();
    next_ = (next_ + 1) % of_.sentinels.size();
}

void sentinel_list::close() {
    boost::system::error_code ignored;
    given_up_ = true;
    limit_.cancel();
    resolver_.cancel();
    socket_.close(ignored);
}

} // namespace recruiting::redis
