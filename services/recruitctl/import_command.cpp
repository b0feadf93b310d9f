// recruitctl import jobs|candidates|applications.
#include "commands.hpp"
#include "import_run.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace recruiting::recruitctl {
namespace {

bool is_csv(invocation const& call, std::string const& file) {
    if (auto const format = call.find("--format")) {
        if (*format != "csv" && *format != "ndjson") throw usage_error("--format must be ndjson or csv");
        return *format == "csv";
    }
    return std::filesystem::path(file).extension() == ".csv";
}

int import_file(invocation& call, import_kind kind) {
    auto const& file = call.operands().front();
    bool const csv = is_csv(call, file);
    std::ifstream opened;
    std::uint64_t size = 0;
    if (file != "-") {
        std::error_code error;
        if (std::filesystem::is_directory(file, error)) throw failure(file + " is a directory");
        opened.open(file, std::ios::binary);
        if (!opened) throw failure("can't open " + file);
        auto const bytes = std::filesystem::file_size(file, error);
        if (!error) size = bytes; // a pipe has none
    }
    std::istream& input = file == "-" ? std::cin : opened;
    auto const reader = csv ? read_csv(input, kind) : read_ndjson(input);
    auto const& slug = call.get("--organization");
    auto const organization = find_organization(call.database(), slug);
    if (!organization) throw failure("there is no organization " + slug);

    import_report report(call.err);
    import_progress progress(call.err, std::string(to_string(kind)), size);
    run_import(call.database(), *organization, kind, *reader, {.strict = call.has("--strict")}, report, progress);
    if (call.json()) call.out << report.json(kind, slug) << '\n';
    else call.out << report.sentence(kind) << '\n';
    return report.bad_lines > 0 ? partial : done;
}

command import_command(import_kind kind, std::string summary, std::string fields) {
    command made;
    made.words = "import " + std::string(to_string(kind));
    made.summary = std::move(summary);
    made.operands = "FILE";
    made.options = {{.name = "--organization", .value = "SLUG", .help = "whose records these are", .required = true},
                    {.name = "--format", .value = "ndjson|csv", .help = "default: csv for *.csv, else ndjson"},
                    {.name = "--strict", .value = "", .help = "all or nothing: the first bad line undoes everything"}};
    made.run = [kind](invocation& call) { return import_file(call, kind); };
    made.details =
        "FILE holds one JSON object a line (NDJSON), or CSV (RFC 4180) whose first line names the fields; - is "
        "standard\n"
        "input. A record is known by its externalId: a new one is inserted, a known one changed where it differs. A\n"
        "field that is absent keeps its value; null (in CSV: an empty cell) clears it. \"deleted\":true or a "
        "deletedAt\n"
        "deletes, \"deleted\":false brings back. Lines take effect in their order.\n\n" +
        fields +
        "\n\nIn CSV nested fields are dotted columns (location.city, salary.min), tags are separated by ; and other "
        "lists\n"
        "are JSON. A bad line is reported with its number and reason and stops nothing but itself.\n"
        "Exit codes: 0; 4 when lines were bad (with --strict: and nothing was kept); 1 when the import failed.";
    return made;
}

} // namespace

std::vector<command> import_commands() {
    return {import_command(
                import_kind::jobs, "Insert or update jobs from a file",
                "Fields: externalId, title, status, requisitionId, department, location {name, city, region,\n"
                "countryCode}, workplaceType, employmentType, openings, salary {min, max, currency, period},\n"
                "salaryPublished, published, publishedAt, closesAt, openedAt, closedAt, descriptionHtml,\n"
                "descriptionText, stages [{name, kind, bookable, interviewDurationMinutes}], hiringTeam [{email or\n"
                "memberId, role}], createdAt, updatedAt, deletedAt, deleted.\n"
                "A job without stages gets Applied, Phone screen, Interview, Offer, Hired."),
            import_command(
                import_kind::candidates, "Insert or update candidates from a file",
                "Fields: externalId, name, email, phone, currentTitle, currentCompany, location {name, city,\n"
                "region, countryCode}, links [{type, url}], source, tags, lastActivityAt, createdAt, updatedAt,\n"
                "deletedAt, deleted."),
            import_command(
                import_kind::applications, "Insert or update applications from a file",
                "Fields: externalId, candidateExternalId, jobExternalId, stageName, status, source, appliedAt,\n"
                "stageEnteredAt, rejectedAt, hiredAt, rejectionReason, createdAt, updatedAt, deletedAt, deleted.\n"
                "Without a stageName an application is at the job's first stage.")};
}

} // namespace recruiting::recruitctl
