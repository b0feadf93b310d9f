#include "recruitctl/commands/private_file.hpp"

#include "recruitctl/command.hpp"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

std::string last_error() { return std::generic_category().message(errno); }

bool write_all(int file, std::string_view contents) {
    while (!contents.empty()) {
        auto const written = ::write(file, contents.data(), contents.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        contents.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(file) == 0;
}

} // namespace

void write_private_file(std::string const& path, std::string_view contents) {
    auto const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) throw failure("can't make " + path + ": " + last_error());
    auto const problem = write_all(file, contents) ? std::string{} : last_error();
    ::close(file);
    if (problem.empty()) return;
    ::unlink(path.c_str());
    throw failure("can't write " + path + ": " + problem);
}

} // namespace recruiting::recruitctl
