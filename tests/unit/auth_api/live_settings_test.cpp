// RECRUITING_ENVIRONMENT=live: settings that only a test installation may have are refused with what to do.
#include "auth_api/settings.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace live_settings_test {
using namespace recruiting;

namespace {

class secret_files {
public:
    secret_files() {
        auto pattern = (std::filesystem::temp_directory_path() / "recruiting-live-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        folder_ = pattern;
    }
    ~secret_files() { std::filesystem::remove_all(folder_); }
    secret_files(secret_files const&) = delete;
    secret_files& operator=(secret_files const&) = delete;

    // What is wrong with these settings; empty: nothing.
    [[nodiscard]] std::string problem(std::string const& environment, std::string const& pepper,
                                      std::string const& cursor_secret, std::string const& public_url) const {
        std::map<std::string, std::string> values{{"RECRUITING_ENVIRONMENT", environment},
                                                  {"RECRUITING_KEY_PEPPER_FILE", write("pepper", pepper)},
                                                  {"RECRUITING_CURSOR_SECRET_FILE", write("cursor", cursor_secret)}};
        if (!public_url.empty()) values.emplace("RECRUITING_PUBLIC_URL", public_url);
        auth_api::settings target;
        settings_reader reader("recruiting-auth-api", "", "RECRUITING_AUTH_API_");
        auth_api::declare(reader, target);
        auto const found = reader.apply(values);
        REQUIRE(found.size() <= 1);
        return found.empty() ? std::string() : found.front();
    }

private:
    [[nodiscard]] std::string write(std::string const& name, std::string const& content) const {
        std::ofstream(folder_ / name) << content;
        return (folder_ / name).string();
    }

    std::filesystem::path folder_;
};

std::string const pepper = "d1f0b6a9c4872e35d1f0b6a9c4872e36";
std::string const other = "90e1c2d3b4a5968778695a4b3c2d1e0f";
constexpr auto url = "https://jobs.example.com";

} // namespace

TEST_CASE("a live installation needs two secrets that can't be guessed, and the address that browsers use",
          "[settings]") {
    secret_files const files;
    CHECK(files.problem("live", pepper, other, url).empty());
    CHECK(
        files.problem("live", std::string(32, '\0'), other, url).starts_with("RECRUITING_KEY_PEPPER_FILE holds fewer"));
    CHECK(files.problem("live", pepper, "abcdefghijklmnopabcdefghijklmnop", url)
              .starts_with("RECRUITING_CURSOR_SECRET_FILE repeats a shorter text"));
    // A newline at the end makes no other secret.
    CHECK(files.problem("live", pepper, pepper + "\n", url).find("must not hold the same secret") != std::string::npos);
    for (auto const* const wrong : {"", "http://jobs.example.com", "https://localhost:8443"}) {
        CAPTURE(wrong);
        CHECK(files.problem("live", pepper, other, wrong).starts_with("RECRUITING_PUBLIC_URL must "));
    }
    for (auto const& text : {files.problem("live", "aaaabbbbaaaabbbbaaaabbbbaaaabbbb", other, url),
                             files.problem("live", pepper, pepper, url)})
        CHECK((text.find("aaaabbbb") == std::string::npos && text.find(pepper) == std::string::npos));
}

TEST_CASE("a test installation may have any secrets, and its own address", "[settings]") {
    secret_files const files;
    CHECK(files.problem("test", std::string(32, 'p'), std::string(32, 'p'), "").empty());
}

} // namespace live_settings_test
