#include "integration/support/redis_servers.hpp"

#include "integration/support/http_server_harness.hpp"
#include "redis/protocol.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace recruiting::test {
namespace {

std::string temporary_directory() {
    char name[] = "/tmp/recruiting-redis-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary directory");
    return name;
}

pid_t run_redis(std::vector<std::string> words) {
    words.insert(words.begin(), "redis-server");
    std::vector<char*> arguments;
    for (auto& one : words) arguments.push_back(one.data());
    arguments.push_back(nullptr);
    auto const pid = ::fork();
    if (pid != 0) return pid;
    ::execvp("redis-server", arguments.data());
    ::_exit(127);
}

void end(pid_t& pid) {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    pid = -1;
}

std::string to_line(redis::reply const& one) {
    if (one.type == redis::reply::kind::integer) return std::to_string(one.integer);
    if (one.type != redis::reply::kind::array) return one.text;
    std::string line;
    for (auto const& element : one.elements) line += (line.empty() ? "" : " ") + to_line(element);
    return line;
}

// One command over a connection of its own; "" when nobody answers.
std::string ask(sockaddr const* where, socklen_t size, std::initializer_list<std::string_view> words) {
    int const fd = ::socket(where->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    timeval const limit{30, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    redis::batch command;
    command.add(words);
    std::string line;
    auto const& bytes = command.bytes();
    if (::connect(fd, where, size) == 0 && ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) {
        redis::reply_reader reader;
        char piece[4096];
        for (auto got = ::recv(fd, piece, sizeof piece, 0); got > 0; got = ::recv(fd, piece, sizeof piece, 0)) {
            reader.feed({piece, static_cast<std::size_t>(got)});
            auto const answer = reader.next();
            if (!answer) continue;
            line = to_line(*answer);
            break;
        }
    }
    ::close(fd);
    return line;
}

std::string ask(std::uint16_t port, std::initializer_list<std::string_view> words) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ask(reinterpret_cast<sockaddr const*>(&where), sizeof where, words);
}

} // namespace

// Below the kernel's own range: no outgoing connection is given it before a server has it, or while that is down.
std::uint16_t free_port() {
    int above = 32'768;
    std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> above;
    std::random_device random;
    for (int tries = 0; tries < 1'000; ++tries) {
        auto const port = static_cast<std::uint16_t>(above - 1 - static_cast<int>(random() % 10'000));
        int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bool const is_free = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        ::close(fd);
        if (is_free) return port;
    }
    throw std::runtime_error("no port is free");
}

std::vector<std::string> tls_arguments(std::uint16_t port, tls_files const& own, std::string const& authority,
                                       std::string const& clients) {
    return {"--tls-port", std::to_string(port), "--tls-cert-file", own.certificates,     "--tls-key-file",
            own.key,      "--tls-ca-cert-file", authority,         "--tls-auth-clients", clients};
}

private_redis::private_redis(std::vector<std::string> arguments)
    : directory_(temporary_directory()), arguments_(std::move(arguments)) {
    start();
}

private_redis::~private_redis() {
    kill();
    std::filesystem::remove_all(directory_);
}

void private_redis::start() {
    std::vector<std::string> words = {"--port", "0",     "--unixsocket", socket(),    "--save",
                                      "",       "--dir", directory_,     "--logfile", "/dev/null"};
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    pid_ = run_redis(std::move(words));
    // Any answer will do: it may be loading, or want a password.
    if (!eventually([&] { return !say({"PING"}).empty(); })) throw std::runtime_error("redis-server does not start");
}

void private_redis::kill() {
    end(pid_);
    ::unlink(socket().c_str());
}

void private_redis::hang() { ::kill(pid_, SIGSTOP); }
void private_redis::resume() { ::kill(pid_, SIGCONT); }

std::string private_redis::say(std::initializer_list<std::string_view> words) const {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, socket().c_str(), sizeof where.sun_path - 1);
    return ask(reinterpret_cast<sockaddr const*>(&where), sizeof where, words);
}

void private_redis::restart(std::vector<std::string> arguments) {
    kill();
    arguments_ = std::move(arguments);
    start();
}

std::vector<std::string> private_redis::keys(std::string const& pattern) const {
    std::istringstream words(say({"KEYS", pattern}));
    return {std::istream_iterator<std::string>(words), {}};
}

int private_redis::calls(std::string const& command) const {
    auto const reply = say({"INFO", "commandstats"});
    auto const mark = "cmdstat_" + command + ":calls=";
    auto const at = reply.find(mark);
    return at == std::string::npos ? 0 : std::atoi(reply.c_str() + at + mark.size());
}

sentinel_group::sentinel_group(bool with_tls) : with_tls_(with_tls), directory_(temporary_directory()) {
    start_server(servers_[0], 0);
    start_server(servers_[1], servers_[0].port);
    for (auto& one : sentinels_) start_sentinel(one);
    for (int i = 0; i < 6 && !eventually([this] { return converged(); }); ++i) continue;
    if (!converged()) throw std::runtime_error("the Sentinels do not find each other");
}

sentinel_group::~sentinel_group() {
    for (auto& one : sentinels_) end(one.pid);
    for (auto& one : servers_) end(one.pid);
    std::filesystem::remove_all(directory_);
}

void sentinel_group::choose_ports(process& one) const {
    one.port = free_port();
    one.plain_port = with_tls_ ? free_port() : one.port;
}

std::vector<std::string> sentinel_group::port_arguments(process const& one) {
    std::vector<std::string> words{"--port", std::to_string(one.plain_port)};
    if (!with_tls_) return words;
    auto const own = authority_.issue(std::to_string(one.port), {"IP:127.0.0.1"});
    auto const more = tls_arguments(one.port, own, authority_.file());
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--tls-replication", "yes"});
    return words;
}

void sentinel_group::start_server(process& one, std::uint16_t master) {
    choose_ports(one);
    std::vector<std::string> words = {"--bind",    "127.0.0.1", "--save",
                                      "",          "--dir",     directory_,
                                      "--logfile", "/dev/null", "--repl-diskless-sync-delay",
                                      "0"};
    if (master != 0) words.insert(words.end(), {"--replicaof", "127.0.0.1 " + std::to_string(master)});
    auto const ports = port_arguments(one);
    words.insert(words.begin(), ports.begin(), ports.end());
    one.pid = run_redis(std::move(words));
    if (!eventually([&] { return say(one.port, {"PING"}) == "PONG"; }))
        throw std::runtime_error("redis-server does not start");
}

void sentinel_group::start_sentinel(process& one) {
    choose_ports(one);
    auto const path = directory_ + "/sentinel-" + std::to_string(one.port) + ".conf";
    std::ofstream(path) << "bind 127.0.0.1\ndir " << directory_
                        << "\nlogfile /dev/null\nsentinel monitor main 127.0.0.1 " << servers_[0].port
                        << " 2\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 5000\n";
    auto words = port_arguments(one);
    words.insert(words.begin(), {path, "--sentinel"});
    one.pid = run_redis(std::move(words));
    if (!eventually([&] { return say(one.port, {"PING"}) == "PONG"; }))
        throw std::runtime_error("a Sentinel does not start");
}

bool sentinel_group::converged() const {
    for (auto const& one : sentinels_) {
        auto const reply = say(one.port, {"SENTINEL", "MASTER", "main"});
        for (auto const* const fact : {"num-slaves 1", "num-other-sentinels 2", "flags master "})
            if (reply.find(fact) == std::string::npos) return false;
    }
    return say(servers_[1].port, {"INFO", "replication"}).find("master_link_status:up") != std::string::npos;
}

std::string sentinel_group::url() const {
    std::string url = with_tls_ ? "sentinels://" : "sentinel://";
    for (auto const& one : sentinels_)
        url += (&one == &sentinels_[0] ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(one.port);
    return url + "/main";
}

std::uint16_t sentinel_group::master_port() const {
    auto const reply = say(sentinels_[0].port, {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"});
    return static_cast<std::uint16_t>(std::atoi(reply.substr(reply.find(' ') + 1).c_str()));
}

void sentinel_group::kill_master() {
    auto const port = master_port();
    for (auto& one : servers_)
        if (one.port == port) end(one.pid);
}

void sentinel_group::fail_over() const { static_cast<void>(say(sentinels_[0].port, {"SENTINEL", "FAILOVER", "main"})); }

std::string sentinel_group::say(std::uint16_t port, std::initializer_list<std::string_view> words) const {
    for (auto const& one : servers_)
        if (one.port == port) return ask(one.plain_port, words);
    for (auto const& one : sentinels_)
        if (one.port == port) return ask(one.plain_port, words);
    return {};
}

} // namespace recruiting::test
