// The file of a moved organization: what is written is read, whatever its rows hold, and nothing else is accepted.
#include "recruitctl/move/stream.hpp"

#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <sstream>
#include <vector>

using namespace recruiting;
using recruitctl::move_reader;
using recruitctl::move_writer;

namespace {

std::vector<std::string> const rows{"sha256 0123\tx\n", "table jobs id\n", "\\\\. 2\n", "\\N\n", "\n"};

std::string written() {
    std::ostringstream out;
    move_writer file(out, {{"schemaVersion", 1}});
    file.begin_table("agent_messages", "content,id");
    for (auto const& row : rows) file.row(row);
    file.end_table(static_cast<std::int64_t>(rows.size()));
    file.begin_table("jobs", "id");
    file.end_table(0);
    file.finish();
    return out.str();
}

std::vector<std::string> read(std::string const& text) {
    std::istringstream from(text);
    move_reader file(from);
    std::vector<std::string> found;
    while (auto const table = file.next_table())
        while (auto const row = file.next_row()) found.emplace_back(*row);
    return found;
}

} // namespace

TEST_CASE("a row of a moved organization may look like any line of its file", "[move]") {
    CHECK(read(written()) == rows);
}

TEST_CASE("a file of a moved organization that was cut off or changed anywhere is rejected", "[move]") {
    auto const whole = written();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_THROWS_AS(read(whole.substr(0, size)), recruitctl::failure);
        auto changed = whole;
        changed[size] = static_cast<char>(changed[size] ^ 1);
        CHECK_THROWS_AS(read(changed), recruitctl::failure);
    }
    CHECK_THROWS_AS(read(whole + "x"), recruitctl::failure);
}
