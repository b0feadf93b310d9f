// An organization of a test's own, and `recruitctl import` called on texts as files.
#pragma once
#include "recruitctl/command.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace recruiting::test {

struct import_fixture {
    import_fixture() { make_organization(database, slug); }
    ~import_fixture() { std::filesystem::remove(file); }
    import_fixture(import_fixture const&) = delete;
    import_fixture& operator=(import_fixture const&) = delete;

    pg::client& database = shared_database().owner();
    std::string slug = new_slug();
    std::filesystem::path file = std::filesystem::temp_directory_path() / ("import_" + new_slug() + ".ndjson");
    std::string err;
    boost::json::object summary;

    /// Imports text; returns the exit code, leaves summary and err.
    int import(std::string const& kind, std::string const& text, std::vector<std::string> const& more = {}) {
        std::ofstream(file, std::ios::binary) << text;
        return import_file(kind, file.string(), more);
    }
    int import_file(std::string const& kind, std::string const& path, std::vector<std::string> const& more = {}) {
        std::vector<std::string> arguments{"import", kind, "--organization", slug, path, "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", shared_database().owner_url()}};
        std::ostringstream out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, out, to_err);
        err = to_err.str();
        summary.clear();
        if (!out.str().empty()) summary = boost::json::parse(out.str()).as_object();
        return code;
    }

    /// "read inserted updated unchanged bad"
    [[nodiscard]] std::string counts() const {
        std::string text;
        for (char const* name : {"read", "inserted", "updated", "unchanged", "bad"})
            text += (text.empty() ? "" : " ") + std::to_string(summary.at(name).to_number<int>());
        return text;
    }
    /// "line field reason" of each problem, or of each warning.
    [[nodiscard]] std::vector<std::string> warnings() const { return problems("warnings"); }
    [[nodiscard]] std::vector<std::string> problems(char const* of = "badLines") const {
        std::vector<std::string> all;
        for (auto const& line : summary.at(of).as_array())
            for (auto const& what : line.at("problems").as_array())
                all.push_back(std::to_string(line.at("line").as_int64()) + ' ' + what.at("field").as_string().c_str() +
                              ' ' + what.at("reason").as_string().c_str());
        return all;
    }
    /// One text, of a query whose $1 is the slug.
    [[nodiscard]] std::string text_of(std::string const& select) {
        auto const found = database.run(select, pg::params().text(slug));
        return found.empty() ? "(none)" : std::string(found.text(0, 0));
    }
    /// A column of the record with this external id, as text.
    [[nodiscard]] std::string column(std::string const& table, std::string const& external_id,
                                     std::string const& what) {
        return text_of(
            "SELECT coalesce((" + what + ")::text, 'null') FROM recruiting." + table +
            " r JOIN recruiting.organizations o ON o.id = r.organization_id WHERE o.slug = $1 AND r.external_id = '" +
            external_id + "'");
    }
    /// The job's stages, in order: "name kind minutes, …".
    [[nodiscard]] std::string stages_of(std::string const& job) {
        return column(
            "jobs", job,
            "SELECT string_agg(concat_ws(' ', s.position, s.name, s.kind, s.interview_duration_minutes), ', ' "
            "ORDER BY s.position) FROM recruiting.stages s WHERE s.job_id = r.id");
    }
};

} // namespace recruiting::test
