// recruitctl import jobs|candidates|applications.
#include "recruitctl/command.hpp"
#include "audit/verify.hpp"
#include "core/text.hpp"
#include "recruitctl/import/run.hpp"
#include "recruitctl/import/store.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace recruiting::recruitctl {
namespace {

enum class file_format { ndjson, csv, greenhouse, lever };

file_format format_of(invocation const& call, std::string const& file, import_kind kind) {
    auto const format = call.find("--format");
    if (!format) {
        auto const ending = to_lower(std::filesystem::path(file).extension().string());
        return ending == ".csv" || ending == ".tsv" ? file_format::csv : file_format::ndjson;
    }
    if (*format == "csv") return file_format::csv;
    if (*format == "ndjson") return file_format::ndjson;
    if (kind != import_kind::jobs) throw usage_error("--format must be ndjson or csv");
    if (*format == "greenhouse") return file_format::greenhouse;
    if (*format == "lever") return file_format::lever;
    throw usage_error("--format must be ndjson, csv, greenhouse or lever");
}

bool is_board(file_format format) { return format == file_format::greenhouse || format == file_format::lever; }

std::unique_ptr<record_reader> reader_of(file_format format, std::istream& input, import_kind kind) {
    switch (format) {
    case file_format::ndjson: return read_ndjson(input);
    case file_format::csv: return read_csv(input, kind);
    case file_format::greenhouse: return std::make_unique<board_reader>(input, board::greenhouse);
    case file_format::lever: return std::make_unique<board_reader>(input, board::lever);
    }
    throw std::logic_error("no such format");
}

// Reports the jobs that an earlier document had and this one has not; closes them only where that was asked for.
void finish_missing_jobs(invocation& call, uuid organization, file_format format, board_reader const& read,
                         import_report& report) {
    auto const source = format == file_format::lever ? board::lever : board::greenhouse;
    auto const missing = find_missing_jobs(call.database(), organization, source, read.seen());
    report.missing.emplace();
    for (auto const& job : missing) {
        report.missing->push_back(job.external_id);
        call.err << "no longer on the board: " << job.external_id << ' ' << job.title << '\n';
    }
    if (!call.has("--close-missing") || missing.empty()) return;
    if (!read.knows_all() || !report.kept) {
        call.err << "nothing is closed: a job without an id, or one refused by --strict, could be any of these\n";
        return;
    }
    if (read.seen().empty()) // more likely an export that failed than a company that stopped hiring
        throw failure("the document holds no job at all: nothing is closed");
    if (!report.dry_run) close_jobs(call.database(), organization, missing);
    report.missing_closed = true;
}

std::ifstream open(std::string const& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) throw failure(file + " is a directory");
    std::ifstream opened(file, std::ios::binary);
    if (!opened) throw failure("can't open " + file);
    return opened;
}

int import_file(invocation& call, import_kind kind) {
    auto const& file = call.operands().front();
    auto const format = format_of(call, file, kind);
    if (call.has("--close-missing") && !is_board(format))
        throw usage_error("--close-missing needs --format greenhouse or lever");
    auto opened = file == "-" ? std::ifstream() : open(file);
    auto const reader = reader_of(format, file == "-" ? std::cin : opened, kind);
    auto const& slug = call.get("--organization");
    auto const organization = audit::organization_by_slug(call.database(), slug);
    if (!organization) throw failure("there is no organization " + slug);

    import_report report(call.err);
    if (is_board(format)) report.unit = "job";
    run_import(call.database(), *organization, kind, *reader,
               {.strict = call.has("--strict"), .dry_run = call.has("--dry-run")}, report);
    if (auto const* read = dynamic_cast<board_reader const*>(reader.get()))
        finish_missing_jobs(call, *organization, format, *read, report);
    if (call.json()) call.out << report.json(kind, slug) << '\n';
    else call.out << report.sentence(kind) << '\n';
    return report.bad_lines > 0 ? partial : done;
}

command import_command(import_kind kind, std::string summary, std::string fields) {
    command made;
    made.words = "import " + std::string(to_string(kind));
    made.summary = std::move(summary);
    made.operands = "FILE";
    bool const jobs = kind == import_kind::jobs;
    made.options = {{.name = "--organization", .value = "SLUG", .help = "organization slug", .required = true},
                    {.name = "--format",
                     .value = jobs ? "ndjson|csv|greenhouse|lever" : "ndjson|csv",
                     .help = "default: csv for *.csv and *.tsv, else ndjson"},
                    {.name = "--strict",
                     .value = "",
                     .help = "all or nothing: the first invalid line or warning rolls back everything"},
                    {.name = "--dry-run",
                     .value = "",
                     .help = "do everything in a transaction that is rolled back, and report what would change"}};
    if (jobs)
        made.options.push_back({.name = "--close-missing",
                                .value = "",
                                .help = "greenhouse, lever: close open jobs that the document no longer contains"});
    made.run = [kind](invocation& call) { return import_file(call, kind); };
    made.details =
        R"(FILE holds one JSON object per line (NDJSON), or CSV (RFC 4180) whose first line names the fields and whose
separator is a comma, a semicolon or a tab; - is standard input. The externalId identifies a record: an unknown one is inserted, a known one updated where it differs. A field
that is absent keeps its value; null (in CSV: an empty cell) clears it. "deleted":true or a deletedAt deletes a
record, "deleted":false restores it. Lines are applied in order.

)" + fields +
        "\nFields marked * are required for a new record and can't be cleared; externalId is required on every line.\n"
        "Objects such as location are replaced as a whole, and a part that they leave out is cleared.\n\n"
        "In CSV, nested fields are dotted columns (location.city, salary.min); a missing column keeps its value.\n"
        "Tags are separated by ; and other lists are JSON. An invalid line is reported with its number and reason,\n"
        "and skipped. An optional value that can't be read is left out with a warning.\n"
        "--dry-run locks the records it would change until it ends, and writes no audit row.\n"
        "Exit codes: 0; 4 if lines were invalid (with --strict: and nothing was changed); 1 if the import failed.";
    return made;
}

} // namespace

std::vector<command> import_commands() {
    return {
        import_command(
            import_kind::jobs, "Insert or update jobs from a file",
            "Fields: externalId*, title*, status, requisitionId, department, location {name, city, region,\n"
            "countryCode}, workplaceType, employmentType, openings, salary {min, max, currency, period},\n"
            "salaryPublished, published, publishedAt, closesAt, openedAt, closedAt, applyUrl, descriptionHtml,\n"
            "descriptionText, stages [{name, kind, bookable, interviewDurationMinutes}], hiringTeam [{email or\n"
            "memberId, role}], createdAt, updatedAt, deletedAt, deleted.\n"
            "applyUrl is where people apply: https://…, http://… or mailto: and one e-mail address. Without it, the\n"
            "organization's address applies (organization set --apply-url).\n"
            "A job without stages gets Applied, Phone screen, Interview, Offer, Hired; null does not remove them.\n\n"
            "--format greenhouse reads responses of Greenhouse's job board API (GET /v1/boards/X/jobs?content=true),\n"
            "--format lever responses of Lever's postings API (GET /v0/postings/X?mode=json). Each job becomes open\n"
            "and published, with externalId greenhouse:ID or lever:ID and applyUrl from Greenhouse's absolute_url or\n"
            "Lever's applyUrl. Jobs of an earlier document that are missing from this one are reported; they stay\n"
            "open without --close-missing."),
        import_command(
            import_kind::candidates, "Insert or update candidates from a file",
            "Fields: externalId*, name*, email, phone, currentTitle, currentCompany, location {name, city,\n"
            "region, countryCode}, links [{type, url}], source, tags, lastActivityAt, createdAt, updatedAt,\n"
            "deletedAt, deleted."),
        import_command(
            import_kind::applications, "Insert or update applications from a file",
            "Fields: externalId*, candidateExternalId*, jobExternalId*, stageName, status, source, appliedAt,\n"
            "stageEnteredAt, rejectedAt, hiredAt, rejectionReason, createdAt, updatedAt, deletedAt, deleted.\n"
            "Without a stageName an application is at the job's first stage.")};
}

} // namespace recruiting::recruitctl
