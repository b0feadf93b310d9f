#include "core/url.hpp"
#include "http/program_settings.hpp"
#include "support/catch.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace healthcheck_test {
using namespace recruiting;

namespace {

// Answers one connection with the given text.
class one_answer {
public:
    one_answer(sockaddr const* address, socklen_t size, std::string answer)
        : listener_(::socket(address->sa_family, SOCK_STREAM, 0)) {
        REQUIRE(::bind(listener_, address, size) == 0);
        REQUIRE(::listen(listener_, 1) == 0);
        thread_ = std::jthread([this, answer = std::move(answer)] {
            int const taken = ::accept(listener_, nullptr, nullptr);
            char question[1024];
            while (::recv(taken, question, sizeof question, 0) < 0) {
            }
            ::send(taken, answer.data(), answer.size(), MSG_NOSIGNAL);
            ::close(taken);
        });
    }
    ~one_answer() {
        thread_.join();
        ::close(listener_);
    }
    [[nodiscard]] std::uint16_t port() const {
        sockaddr_in at{};
        socklen_t size = sizeof at;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
        return ntohs(at.sin_port);
    }

private:
    int listener_;
    std::jthread thread_;
};

int answered_with(std::string answer) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    one_answer const program(reinterpret_cast<sockaddr const*>(&any), sizeof any, std::move(answer));
    return http::check_health({"0.0.0.0", program.port(), {}});
}

} // namespace

TEST_CASE("a wildcard address is asked on loopback, any other as it is", "[http][healthcheck]") {
    REQUIRE(reachable({"0.0.0.0", 9080, {}}) == endpoint{"127.0.0.1", 9080, {}});
    REQUIRE(reachable({"::", 9080, {}}) == endpoint{"::1", 9080, {}});
    REQUIRE(reachable({"10.0.0.1", 9080, {}}) == endpoint{"10.0.0.1", 9080, {}});
    REQUIRE(reachable({{}, 0, "/run/admin"}) == endpoint{{}, 0, "/run/admin"});
}

TEST_CASE("200 is well, anything else is not", "[http][healthcheck]") {
    REQUIRE(answered_with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") == 0);
    REQUIRE(answered_with("HTTP/1.1 503 Service Unavailable\r\n\r\n") == 1);
    REQUIRE(answered_with("") == 1);
}

TEST_CASE("a unix socket is asked too, nobody there is not well", "[http][healthcheck]") {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    auto const path = "/tmp/healthcheck_" + std::to_string(::getpid());
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    {
        one_answer const program(reinterpret_cast<sockaddr const*>(&at), sizeof at, "HTTP/1.1 200 OK\r\n\r\n");
        REQUIRE(http::check_health({{}, 0, path}) == 0);
    }
    ::unlink(path.c_str());
    REQUIRE(http::check_health({{}, 0, path}) == 1);
}

} // namespace healthcheck_test
