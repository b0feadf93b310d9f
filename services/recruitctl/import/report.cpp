#include "recruitctl/import/report.hpp"

#include "http/json_writer.hpp"

#include <algorithm>
#include <iostream>
#include <ostream>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

// "stages[3].name" and "stages[4].name" are one kind of problem.
std::string kind_of(problem const& what) {
    std::string field;
    bool inside = false;
    for (char const c : what.field) {
        if (c == ']') inside = false;
        if (!inside) field += c;
        if (c == '[') inside = true;
    }
    return (field.empty() ? "" : field + ": ") + what.message;
}

} // namespace

void import_report::bad(bad_line const& line) {
    ++bad_lines;
    if (first_.size() < kept_lines) first_.push_back(line);
    for (auto const& what : line.problems) {
        // A file can't make more kinds than this either: what is beyond counts as one.
        auto kind = kinds_.size() < 100 || kinds_.contains(kind_of(what)) ? kind_of(what) : "other problems";
        if (++kinds_[kind] > shown_per_kind) continue;
        err_ << unit << " " << line.line << ": " << (what.field.empty() ? "" : what.field + ": ") << what.message
             << '\n';
    }
}

void import_report::finish() {
    for (auto const& [kind, count] : kinds_)
        if (count > shown_per_kind)
            err_ << "and " << with_commas(count - shown_per_kind) << " more of: " << kind << '\n';
}

std::string import_report::json(import_kind kind, std::string_view organization) const {
    std::string out;
    http::json_writer w(out);
    w.open_object().field("kind", to_string(kind)).field("organization", organization).field("read", read);
    w.field("inserted", inserted).field("updated", updated).field("unchanged", unchanged).field("bad", bad_lines);
    w.field("committed", kept && !dry_run)
        .field("dryRun", dry_run)
        .field("seconds", static_cast<std::int64_t>(seconds + 0.5));
    w.key("badLines").open_array();
    for (auto const& line : first_) {
        w.open_object().field("line", line.line).key("problems").open_array();
        for (auto const& what : line.problems) {
            w.open_object().field("field", what.field).field("reason", what.reason);
            w.field("message", what.message).close_object();
        }
        w.close_array().close_object();
    }
    w.close_array().field("badLinesOmitted", bad_lines - first_.size());
    if (missing) {
        w.key("missing").open_array();
        for (auto const& id : *missing) w.value(id);
        w.close_array().field("missingClosed", missing_closed);
    }
    w.close_object();
    return out;
}

std::string import_report::sentence(import_kind kind) const {
    auto const count = [](auto number) { return with_commas(static_cast<std::uint64_t>(number)); };
    auto text = std::string(to_string(kind)) + (dry_run ? " (dry run, nothing was changed): " : ": ") + count(read) +
                " read, " + count(inserted) + " inserted, " + count(updated) + " updated, " + count(unchanged) +
                " unchanged, " + count(bad_lines) + " bad";
    if (!kept) text += "; --strict: nothing was kept";
    if (missing && !missing->empty())
        text += "; " + count(missing->size()) +
                (missing_closed ? dry_run ? " to be closed" : " closed" : " still open") +
                " that the board has no more";
    return text;
}

std::string with_commas(std::uint64_t number) {
    auto text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

import_progress::import_progress(std::ostream& err, std::string noun, std::uint64_t total)
    : err_(err), noun_(std::move(noun)), total_(total), terminal_(&err == &std::cerr && ::isatty(STDERR_FILENO) == 1) {}

void import_progress::show(std::uint64_t at, std::uint64_t records) {
    if (!terminal_) return;
    auto const now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    std::chrono::duration<double> const taken = now - start_;
    err_ << '\r' << progress_line(at, total_, records, taken.count(), noun_) << "\x1b[K" << std::flush;
    drawn_ = true;
}

void import_progress::clear() {
    if (drawn_) err_ << "\r\x1b[K" << std::flush;
    drawn_ = false;
}

std::string progress_line(std::uint64_t at, std::uint64_t total, std::uint64_t records, double seconds,
                          std::string const& noun) {
    constexpr std::uint64_t width = 30;
    std::string line;
    if (total > 0) {
        auto const filled = std::min(at, total) * width / total;
        auto const percent = std::to_string(std::min(at, total) * 100 / total);
        line += '[' + std::string(filled, '=') + (filled < width ? ">" : "") +
                std::string(width - std::min(width, filled + 1), ' ') + "] " + std::string(3 - percent.size(), ' ') +
                percent + "%  ";
    }
    line += with_commas(records) + ' ' + noun;
    if (seconds > 0)
        line += "  " + with_commas(static_cast<std::uint64_t>(static_cast<double>(records) / seconds)) + "/s";
    return line;
}

} // namespace recruiting::recruitctl
