#include "integration/mail/reader.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace recruiting::test {

mail_reader::mail_reader() {
    auto pattern = (std::filesystem::temp_directory_path() / "mails.XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for mails");
    directory_ = pattern;
}

void mail_reader::add(std::string const& mime, boost::json::object const& expected) {
    auto const name = (directory_ / std::to_string(++count_)).string();
    std::ofstream(name + ".eml", std::ios::binary) << mime;
    std::ofstream(name + ".json", std::ios::binary) << boost::json::serialize(expected);
}

mail_reader::report mail_reader::read() const {
    // Debian's interpreter: the packages of its own are not seen by others.
    auto const command =
        "/usr/bin/python3 '" RECRUITING_SOURCE_DIR "/tests/support/read_mails.py' '" + directory_.string() + "' 2>&1";
    report out;
    auto* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return out;
    std::array<char, 4096> chunk{};
    while (auto const size = std::fread(chunk.data(), 1, chunk.size(), pipe)) out.text.append(chunk.data(), size);
    out.fine = ::pclose(pipe) == 0;
    return out;
}

} // namespace recruiting::test
