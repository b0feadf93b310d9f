#include "core/file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace recruiting {
namespace {

std::string refusal(std::string const& path, std::string const& why) { return "can't read " + path + ": " + why; }

struct descriptor {
    explicit descriptor(std::string const& path) : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~descriptor() {
        if (number >= 0) ::close(number);
    }
    descriptor(descriptor const&) = delete;
    descriptor& operator=(descriptor const&) = delete;
    int number;
};

} // namespace

std::optional<std::string> read_file(std::string const& path, std::string& content) {
    content.clear();
    descriptor const file(path);
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0) return refusal(path, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return refusal(path, "it is a folder");
    if (!S_ISREG(status.st_mode)) return refusal(path, "it is not a file");
    std::array<char, 16 * 1024> piece{};
    for (;;) {
        auto const size = ::read(file.number, piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return refusal(path, std::strerror(errno));
        if (size == 0) return std::nullopt;
        content.append(piece.data(), static_cast<std::size_t>(size));
    }
}

} // namespace recruiting
