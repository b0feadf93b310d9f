#include "recruitctl/move/stream.hpp"

#include "core/text.hpp"
#include "recruitctl/command.hpp"

#include <istream>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::string_view format = "recruiting-organization/1";
constexpr std::string_view table_word = "table ";
constexpr std::string_view end_of_rows = "\\. "; // no row begins so: COPY writes a backslash as two
constexpr std::string_view digest_word = "sha256 ";

[[noreturn]] void refuse_file(std::string const& why) { throw failure("the file can't be imported: " + why); }

} // namespace

move_writer::move_writer(std::ostream& to, boost::json::object const& header) : to_(to) {
    put(std::string(format) + '\n' + boost::json::serialize(header) + '\n');
}

void move_writer::put(std::string_view text) {
    digest_.add(text);
    to_.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!to_) throw failure("the file could not be written");
}

void move_writer::begin_table(std::string_view name, std::string_view columns) {
    put(std::string(table_word).append(name).append(1, ' ').append(columns).append(1, '\n'));
}

void move_writer::row(std::string_view line) { put(line); }

void move_writer::end_table(std::int64_t rows) { put(std::string(end_of_rows) + std::to_string(rows) + '\n'); }

void move_writer::finish() {
    to_ << digest_word << to_hex(bytes_of(digest_.finish())) << '\n';
    to_.flush();
    if (!to_) throw failure("the file could not be written");
}

move_reader::move_reader(std::istream& from) : from_(from) {
    if (next_digested_line() != std::string(format) + '\n')
        refuse_file("it does not begin with " + std::string(format) + ", as this version's organization export writes");
    auto const text = next_digested_line();
    boost::system::error_code error;
    auto parsed = boost::json::parse(boost::json::string_view(text.data(), text.size()), error);
    if (error || !parsed.is_object()) refuse_file("its header is no JSON object");
    header_ = std::move(parsed.get_object());
}

std::string_view move_reader::next_digested_line() {
    auto const line = next_line();
    digest_.add(line);
    return line;
}

// The line with its \n.
std::string_view move_reader::next_line() {
    std::getline(from_, line_);
    if (!from_ || from_.eof()) refuse_file("it is cut off");
    return line_ += '\n';
}

std::optional<move_reader::table> move_reader::next_table() {
    auto line = next_line();
    line.remove_suffix(1);
    if (line.starts_with(digest_word)) {
        check_end(line.substr(digest_word.size()));
        return std::nullopt;
    }
    digest_.add(line_);
    auto const space = line.find(' ', table_word.size());
    if (!line.starts_with(table_word) || space == std::string_view::npos) refuse_file("it was changed");
    rows_ = 0;
    return table{std::string(line.substr(table_word.size(), space - table_word.size())),
                 std::string(line.substr(space + 1))};
}

std::optional<std::string_view> move_reader::next_row() {
    auto const line = next_digested_line();
    if (!line.starts_with(end_of_rows)) {
        ++rows_;
        return line;
    }
    if (line != std::string(end_of_rows) + std::to_string(rows_) + '\n') refuse_file("rows are missing or were added");
    return std::nullopt;
}

void move_reader::check_end(std::string_view hex) {
    if (hex != to_hex(bytes_of(digest_.finish()))) refuse_file("it was changed: its SHA-256 differs");
    if (from_.peek() != std::istream::traits_type::eof()) refuse_file("something follows its end");
}

} // namespace recruiting::recruitctl
