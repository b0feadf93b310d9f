// Mails given to parsers that are not ours: tests/support/read_mails.py.
#pragma once
#include <boost/json.hpp>

#include <filesystem>
#include <string>

namespace recruiting::test {

class mail_reader {
public:
    mail_reader();
    ~mail_reader() { std::filesystem::remove_all(directory_); }
    mail_reader(mail_reader const&) = delete;
    mail_reader& operator=(mail_reader const&) = delete;

    /// expected: what read_mails.py says it compares.
    void add(std::string const& mime, boost::json::object const& expected);

    struct report {
        bool fine{false};
        std::string text;
    };
    [[nodiscard]] report read() const;

private:
    std::filesystem::path directory_;
    int count_{0};
};

} // namespace recruiting::test
