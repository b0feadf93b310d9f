#include "recruitctl/import/run.hpp"

#include "http/json_writer.hpp"
#include "recruitctl/import/store.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <unordered_set>

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
    show(line, "");
}

void import_report::warn(bad_line const& line) {
    ++warned_lines;
    if (first_warned_.size() < kept_lines) first_warned_.push_back(line);
    show(line, "warning: ");
}

void import_report::show(bad_line const& line, std::string const& what) {
    for (auto const& problem : line.problems) {
        // A file can't make more kinds than this either: what is beyond counts as one.
        auto kind = what + kind_of(problem);
        if (kinds_.size() >= 100 && !kinds_.contains(kind)) kind = "other problems";
        if (++kinds_[kind] > shown_per_kind) continue;
        err_ << unit << ' ' << line.line;
        if (!line.external_id.empty()) err_ << " (" << in_quotes(line.external_id) << ')';
        err_ << ": " << what << (problem.field.empty() ? "" : problem.field + ": ") << problem.message << '\n';
    }
}

void import_report::finish() {
    for (auto const& [kind, count] : kinds_)
        if (count > shown_per_kind)
            err_ << "and " << with_commas(count - shown_per_kind) << " more of: " << kind << '\n';
}

namespace {

void write_lines(http::json_writer& w, std::string_view name, std::vector<bad_line> const& lines) {
    w.key(name).open_array();
    for (auto const& line : lines) {
        w.open_object().field("line", line.line);
        if (!line.external_id.empty()) w.field("externalId", line.external_id);
        w.key("problems").open_array();
        for (auto const& what : line.problems) {
            w.open_object().field("field", what.field).field("reason", what.reason);
            w.field("message", what.message).close_object();
        }
        w.close_array().close_object();
    }
    w.close_array();
}

} // namespace

std::string import_report::json(import_kind kind, std::string_view organization) const {
    std::string out;
    http::json_writer w(out);
    w.open_object().field("kind", to_string(kind)).field("organization", organization).field("read", read);
    w.field("inserted", inserted).field("updated", updated).field("unchanged", unchanged).field("bad", bad_lines);
    w.field("committed", kept && !dry_run)
        .field("dryRun", dry_run)
        .field("seconds", static_cast<std::int64_t>(seconds + 0.5));
    write_lines(w, "badLines", first_);
    w.field("badLinesOmitted", bad_lines - first_.size()).field("warned", warned_lines);
    write_lines(w, "warnings", first_warned_);
    w.field("warningsOmitted", warned_lines - first_warned_.size());
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
    if (warned_lines > 0) text += ", " + count(warned_lines) + " with warnings";
    if (!kept) text += "; --strict: nothing was kept";
    if (missing && !missing->empty())
        text += "; " + count(missing->size()) +
                (missing_closed ? dry_run ? " to be closed" : " closed" : " still open") +
                " that the board has no more";
    return text;
}

namespace {

// Class 22: data exceptions; 23: integrity constraints; 54: limits, as of an index row.
bool is_about_data(pg::query_error const& error) {
    auto const state = std::string_view(error.sqlstate()).substr(0, 2);
    return state == "22" || state == "23" || state == "54";
}

// Class 40: a deadlock or a serialization failure; the same batch can succeed the next time.
bool is_transient(pg::query_error const& error) { return std::string_view(error.sqlstate()).starts_with("40"); }

struct strict_stop {};

class importer {
public:
    importer(pg::client& client, uuid organization, import_kind kind, import_options const& options,
             import_report& report)
        : client_(client), store_(client, organization), kind_(kind), options_(options), report_(report) {}

    void run(record_reader& from) {
        zone_ = store_.time_zone();
        store_.prepare();
        if (!is_whole()) return read_all(from);
        pg::transaction whole(client_); // rolled back unless it is committed
        store_.lock_organization();
        try {
            read_all(from);
            if (!options_.dry_run) whole.commit();
        } catch (strict_stop const&) {
            report_.kept = false;
            report_.inserted = report_.updated = report_.unchanged = 0;
        }
    }

private:
    // One transaction for the whole import, instead of one per batch?
    [[nodiscard]] bool is_whole() const noexcept { return options_.strict || options_.dry_run; }

    void read_all(record_reader& from) {
        for (record next; from.next(next);) {
            ++report_.read;
            take(to_row(kind_, next, zone_));
        }
        flush();
    }

    void take(import_row row) {
        warn({row.line, std::move(row.warnings), row.external_id}, row.problems);
        if (!row.problems.empty()) {
            if (options_.strict) flush(); // an earlier line may be bad as well, and comes first
            return refuse({row.line, std::move(row.problems)});
        }
        if (external_ids_.contains(row.external_id)) flush();
        bytes_ += row.columns.size();
        external_ids_.insert(row.external_id);
        rows_.push_back(std::move(row));
        if (rows_.size() >= options_.batch_rows || bytes_ >= options_.batch_bytes) flush();
    }

    // With strict, a warning is a problem like others; beside a problem, too, because the line is not imported.
    void warn(bad_line&& line, std::vector<problem>& problems) {
        if (line.problems.empty()) return;
        if (options_.strict || !problems.empty())
            std::move(line.problems.begin(), line.problems.end(), std::back_inserter(problems));
        else report_.warn(line);
    }

    void refuse(bad_line const& line) {
        report_.bad(line);
        if (options_.strict) throw strict_stop{};
    }

    void flush() {
        if (!rows_.empty()) apply(rows_);
        rows_.clear();
        external_ids_.clear();
        bytes_ = 0;
    }

    // A row that only the database can refuse must not take its batch along: halves are tried until it stands alone.
    void apply(std::span<import_row const> rows) {
        for (int attempt = 1;; ++attempt) {
            try {
                return keep(apply_batch(rows));
            } catch (pg::query_error const& error) {
                if (is_transient(error) && attempt < 3 && !options_.strict) continue;
                if (!is_about_data(error)) throw;
                if (rows.size() == 1 || options_.strict)
                    return refuse({rows.front().line, {{{}, "refused_by_database", refusal(rows, error)}}});
            }
            break;
        }
        apply(rows.first(rows.size() / 2));
        apply(rows.subspan(rows.size() / 2));
    }

    // A batch that is refused takes nothing else of a whole import's transaction along.
    batch_outcome apply_batch(std::span<import_row const> rows) {
        pg::transaction batch(client_);
        store_.lock_organization();
        auto outcome = store_.apply(kind_, rows);
        batch.commit();
        return outcome;
    }

    void keep(batch_outcome const& outcome) {
        report_.inserted += outcome.inserted;
        report_.updated += outcome.updated;
        report_.unchanged += outcome.unchanged;
        for (auto const& line : outcome.warned) options_.strict ? refuse(line) : report_.warn(line);
        for (auto const& line : outcome.bad) refuse(line);
    }

    static std::string refusal(std::span<import_row const> rows, pg::query_error const& error) {
        std::string where;
        if (rows.size() > 1) where = "this line or one up to line " + std::to_string(rows.back().line) + ": ";
        return where + "the database refuses it: " + error.what();
    }

    pg::client& client_;
    import_store store_;
    import_kind kind_;
    import_options const& options_;
    import_report& report_;
    std::vector<import_row> rows_;
    std::unordered_set<std::string> external_ids_;
    std::size_t bytes_{0};
    std::string zone_; // the organization's
};

} // namespace

void run_import(pg::client& client, uuid organization, import_kind kind, record_reader& from,
                import_options const& options, import_report& report) {
    auto const start = std::chrono::steady_clock::now();
    importer(client, organization, kind, options, report).run(from);
    report.finish();
    auto const taken = std::chrono::steady_clock::now() - start;
    report.seconds = std::chrono::duration<double>(taken).count();
    report.dry_run = options.dry_run;
    if (options.dry_run) return; // nothing happened that the audit log could tell
    pg::transaction audit(client);
    import_store(client, organization)
        .record(kind, report.kept, std::chrono::duration_cast<std::chrono::milliseconds>(taken));
    audit.commit();
}

} // namespace recruiting::recruitctl
