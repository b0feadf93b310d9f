#include "auth_api/background/mail/mail_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace recruiting::auth_api::mailing {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        auto const written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

std::error_code write_mail_file(std::string const& directory, std::string const& name, std::string const& content) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) return error;
    auto const path = directory + "/" + name;
    auto const unfinished = directory + "/." + name + ".part";
    int const descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) return last_error();
    bool const written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
    if (!written) error = last_error();
    ::close(descriptor);
    if (!error && std::rename(unfinished.c_str(), path.c_str()) != 0) error = last_error();
    if (error) ::unlink(unfinished.c_str());
    return error;
}

} // namespace recruiting::auth_api::mailing
