// The command table: parsing, help, exit codes.
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"
#include "support/catch.hpp"

#include <sstream>

namespace command_test {
using namespace recruiting;
using namespace recruiting::recruitctl;

namespace {

struct command_result {
    int code;
    std::string out;
    std::string err;
};

// A command that prints what it was given.
std::vector<command> table(std::function<int(invocation&)> work = {}) {
    if (!work)
        work = [](invocation& call) {
            call.out << call.get("--name") << '|' << call.find("--note").value_or("none") << '|';
            for (auto const& scope : call.list("--scope")) call.out << scope << ';';
            call.out << '|' << call.has("--force") << call.json() << '|';
            for (auto const& operand : call.operands()) call.out << operand << ';';
            return static_cast<int>(done);
        };
    return {{"thing make",
             "Make a thing.",
             {{"--name", "NAME", "its name", true},
              {"--note", "TEXT", "a note"},
              {"--scope", "SCOPE", "scopes", false, true},
              {"--force", "", "a flag"}},
             work,
             "More to know.",
             "FILE"},
            {"thing list", "List things.", {}, work}};
}

command_result call(std::vector<command> const& commands, std::vector<std::string> const& arguments,
                    settings const& environment = {}) {
    std::ostringstream out;
    std::ostringstream err;
    auto const code = run(commands, arguments, environment, out, err);
    return {code, out.str(), err.str()};
}

} // namespace

TEST_CASE("options are read in every spelling", "[recruitctl]") {
    auto const made = call(table(), {"thing", "make", "f", "--name", "n", "--note=a=b", "--scope", "x, y", "--force",
                                     "--scope", "z", "--json"});
    REQUIRE(made.code == done);
    REQUIRE(made.out == "n|a=b|x;y;z;|11|f;");
    REQUIRE(made.err.empty());
    REQUIRE(call(table(), {"thing", "make", "--name", "-n", "--", "--file"}).out == "-n|none||00|--file;");
    REQUIRE(call(table(), {"thing", "make", "--name", "n", "--note=", "f"}).out == "n|||00|f;");
    REQUIRE(call(table(), {"thing", "make", "--name", "n", "--", "--note="}).out == "n|none||00|--note=;");
}

TEST_CASE("everything wrong with the arguments is told at once, with exit code 2", "[recruitctl]") {
    auto const wrong =
        call(table(), {"thing", "make", "--nope", "--force=1", "--note", "a", "--note", "b", "--scope", ","});
    REQUIRE(wrong.code == usage);
    REQUIRE(wrong.out.empty());
    for (auto const* text : {"unknown option --nope", "--force takes no value", "--note is given twice",
                             "--name NAME is missing", "--scope needs a value", "FILE is missing", "--help"}) {
        CAPTURE(text, wrong.err);
        REQUIRE(wrong.err.find(text) != std::string::npos);
    }
    REQUIRE(call(table(), {"thing", "make", "--name"}).err.find("--name needs a value, NAME") != std::string::npos);
    for (auto const* word : {"--json=true", "--json=false"})
        REQUIRE(call(table(), {"thing", "list", word}).err.find("--json takes no value") != std::string::npos);
    REQUIRE(call(table(), {"thing", "list", "extra"}).err.find("unexpected argument extra") != std::string::npos);
}

TEST_CASE("an unknown command shows those there are", "[recruitctl]") {
    for (std::vector<std::string> const& arguments :
         std::vector<std::vector<std::string>>{{}, {"nope"}, {"thing"}, {"thing", "nope"}, {"--nope"}}) {
        auto const shown = call(table(), arguments);
        REQUIRE(shown.code == usage);
        REQUIRE(shown.out.empty());
        REQUIRE(shown.err.find("thing make") != std::string::npos);
    }
    REQUIRE(call(table(), {"--help"}).code == done);
    REQUIRE(call(table(), {"--help"}).out.find("RECRUITING_DATABASE_URL") != std::string::npos);
    REQUIRE(call(table(), {"--version"}).out.starts_with("recruitctl "));
}

TEST_CASE("option --help of a command is made from its table row", "[recruitctl]") {
    auto const shown = call(table(), {"thing", "make", "--help"});
    REQUIRE(shown.code == done);
    for (auto const* text : {"recruitctl thing make --name NAME", "Make a thing.", "a note", "FILE", "--json",
                             "More to know.", "Exit codes"})
        REQUIRE(shown.out.find(text) != std::string::npos);
    for (auto const& one : all_commands()) {
        std::vector<std::string> arguments;
        std::istringstream words(one.words);
        for (std::string word; words >> word;) arguments.push_back(word);
        arguments.emplace_back("--help");
        auto const help = call(all_commands(), arguments);
        CAPTURE(one.words);
        REQUIRE(help.code == done);
        REQUIRE(help.out.find(one.summary) != std::string::npos);
    }
}

TEST_CASE("what a command throws becomes a sentence and an exit code", "[recruitctl]") {
    auto const thrown = [](auto error) {
        return call(table([error](invocation&) -> int { throw error; }), {"thing", "list"});
    };
    REQUIRE(thrown(failure("no")).code == failed);
    REQUIRE(thrown(failure("no")).err == "recruitctl thing list: no\n");
    REQUIRE(thrown(usage_error("no")).code == usage);
    REQUIRE(thrown(pg::connection_lost("refused")).code == database_unavailable);
    REQUIRE(thrown(std::runtime_error("x")).code == failed);
    auto const old = thrown(pg::query_error(pg::undefined_table, "relation"));
    REQUIRE(old.code == failed);
    REQUIRE(old.err.find("recruitctl migrate") != std::string::npos);
}

TEST_CASE("settings: a mistyped one is refused, the database's is needed", "[recruitctl]") {
    auto const connects = table([](invocation& one) {
        static_cast<void>(one.database());
        return 0;
    });
    auto const mistyped = call(connects, {"thing", "list"}, {{"RECRUITING_ENVIROMENT", "live"}});
    REQUIRE(mistyped.code == usage);
    REQUIRE(mistyped.err.find("RECRUITING_ENVIROMENT") != std::string::npos);
    REQUIRE(call(connects, {"thing", "list"}, {{"RECRUITING_ENVIRONMENT", "prod"}}).code == usage);
    REQUIRE(call(connects, {"thing", "list"}).code == usage);
    REQUIRE(call(connects, {"thing", "list"}).err.find("RECRUITING_DATABASE_URL is not set") != std::string::npos);
}

TEST_CASE("a wrong connection string is never quoted", "[recruitctl]") {
    auto const connects = table([](invocation& one) {
        static_cast<void>(one.database());
        return 0;
    });
    for (auto const* url :
         {"postgresql://u:hunter2@h:port/d", "postgresql://u:hun/ter2@h/d", "postgresql://u:hunter2%@h/d",
          "postgresql://u:hunter@2@h/d", "host=h password=hunter2 nope=1"}) {
        auto const wrong = call(connects, {"thing", "list"}, {{"RECRUITING_DATABASE_URL", url}});
        CAPTURE(url, wrong.err);
        REQUIRE(wrong.code != done);
        REQUIRE(wrong.err.find("hun") == std::string::npos);
        REQUIRE(wrong.err.find("ter2") == std::string::npos);
    }
}

TEST_CASE("help is an option and a word before the command", "[recruitctl]") {
    REQUIRE(call(table(), {"help", "thing", "make"}).out == call(table(), {"thing", "make", "--help"}).out);
    REQUIRE(call(table(), {"thing", "make", "--name", "--help"}).out == call(table(), {"thing", "make", "--help"}).out);
    REQUIRE(call(table(), {"help"}).out == call(table(), {"--help"}).out);
    auto const group = call(table(), {"thing", "--help"});
    REQUIRE(group.code == done);
    REQUIRE(group.out.find("make") != std::string::npos);
}

TEST_CASE("an option is no other option's value, unless it is written so", "[recruitctl]") {
    auto const swallowed = call(table(), {"thing", "make", "f", "--name", "--json"});
    REQUIRE(swallowed.code == usage);
    REQUIRE(swallowed.err.find("--name needs a value, NAME") != std::string::npos);
    REQUIRE(call(table(), {"thing", "make", "f", "--name=--json"}).out == "--json|none||00|f;");
}

TEST_CASE("a command's name may stand as an operand", "[recruitctl]") {
    REQUIRE(call(table(), {"thing", "make", "thing", "--name", "list"}).out == "list|none||00|thing;");
}

TEST_CASE("tables are aligned and drive no terminal", "[recruitctl]") {
    std::ostringstream out;
    print_table(out, {{"a", "bb"}, {"äöü", "c"}, {"x\x1b[2J", ""}});
    REQUIRE(out.str() == "a      bb\näöü    c\nx?[2J  \n");
}

TEST_CASE("doctor: an admin port that is none is a wrong argument", "[recruitctl]") {
    for (auto const* const option : {"--gateway", "--auth-api", "--public-api"}) {
        auto const wrong = call(all_commands(), {"doctor", option, "127.0.0.1:1,nowhere"});
        CAPTURE(option);
        REQUIRE(wrong.code == usage);
        REQUIRE(wrong.err.find(std::string(option) + " must be HOST:PORT") != std::string::npos);
    }
}

} // namespace command_test
