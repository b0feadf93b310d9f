// Every example question of the console, the README, the documents, the OpenAPI documents and the scripts is one that
// the built-in responder answers.
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/run.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace examples_test {
using namespace recruiting;

namespace {

std::filesystem::path const tree = RECRUITING_SOURCE_DIR;

std::regex const of_console(R"RE(example_\w+: '([^']+)')RE");
// The prompt of a request in JSON or YAML, and the client's command.
std::regex const of_documents(R"RE("prompt": ?"([^"]+)"|prompt: '([^']+)'|invoke "[^"]+" "([^"$]+)")RE");

std::set<std::string> questions_in(std::string const& text, std::regex const& question) {
    std::set<std::string> out;
    for (std::sregex_iterator found(text.begin(), text.end(), question); found != std::sregex_iterator(); ++found)
        for (std::size_t i = 1; i < found->size(); ++i)
            if ((*found)[i].matched) out.insert((*found)[i]);
    return out;
}

std::set<std::string> questions_of(std::filesystem::path const& file, std::regex const& question) {
    std::ifstream in(file);
    return questions_in({std::istreambuf_iterator<char>(in), {}}, question);
}

std::set<std::string> questions_below(std::filesystem::path const& folder, std::regex const& question) {
    std::set<std::string> out;
    for (auto const& one : std::filesystem::recursive_directory_iterator(folder)) {
        auto const type = one.path().extension();
        if (type == ".md" || type == ".yaml" || type == ".mjs" || type == ".ts" || type == ".sh")
            out.merge(questions_of(one.path(), question));
    }
    return out;
}

void check_answered(std::set<std::string> const& questions) {
    for (auto const& one : questions) {
        CAPTURE(one);
        CHECK_FALSE(test::play(one).calls.empty());
    }
}

} // namespace

TEST_CASE("the examples of the console are answered, in each of its languages", "[builtin]") {
    auto const questions = questions_below(tree / "services/auth_api/console/web/src/i18n/agent", of_console);
    CHECK(questions.size() == 18);
    check_answered(questions);
}

TEST_CASE("the examples of the documents and scripts are answered", "[builtin]") {
    auto questions = questions_below(tree / "proto-docs", of_documents);
    CHECK(questions.contains("Which jobs are open in Berlin?"));
    questions.merge(questions_below(tree / "scripts", of_documents));
    questions.merge(questions_of(tree / "README.md", of_documents));
    check_answered(questions);
}

TEST_CASE("the examples that the responder itself gives are answered", "[builtin]") {
    static std::regex const question(R"RE((?:- |[?.] )([A-Z][^?.\n]+))RE");
    auto const questions = questions_in(test::play("help").reply, question);
    CHECK(questions.size() == 10);
    check_answered(questions);
}

} // namespace examples_test
