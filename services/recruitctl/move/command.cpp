// organization freeze, unfreeze, export, import, remove: moving an organization to another installation.
#include "audit/verify_store.hpp"
#include "directory/organizations.hpp"
#include "recruitctl/commands/pepper.hpp"
#include "recruitctl/move/move.hpp"
#include "recruitctl/output.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <ostream>
#include <unistd.h>

namespace recruiting::recruitctl {
namespace {

constexpr std::string_view standard_stream = "-";
constexpr std::string_view default_settle = "30s";
constexpr std::string_view default_wait = "5m";

moved_organization organization_of(invocation& call) {
    auto const found = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    return {found.id, found.slug, found.name};
}

void print_state(invocation& call, moved_organization const& which, std::string_view state, bool changed) {
    if (call.json())
        return print_json(call.out, {{"organizationId", to_string(which.id)},
                                     {"organization", which.slug},
                                     {"state", state},
                                     {"changed", changed}});
    call.out << which.slug << (changed ? " is now " : " is already ") << state << '\n';
}

int freeze(invocation& call) {
    auto const which = organization_of(call);
    print_state(call, which, "frozen", store::freeze(call.database(), which.id));
    return done;
}

int unfreeze(invocation& call) {
    auto const which = organization_of(call);
    print_state(call, which, "active", store::unfreeze(call.database(), which.id));
    return done;
}

// A file of its own, which only its owner reads: it has everything but the pepper. Without commit() it is deleted.
class private_file {
public:
    explicit private_file(std::string path) : path_(std::move(path)) {
        int const made = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (made < 0) throw failure("can't create " + path_ + ": " + std::generic_category().message(errno));
        ::close(made);
        stream.open(path_, std::ios::binary);
    }
    ~private_file() {
        std::error_code ignored;
        if (!kept_) std::filesystem::remove(path_, ignored);
    }
    private_file(private_file const&) = delete;
    private_file& operator=(private_file const&) = delete;
    void commit() {
        stream.close();
        if (!stream) throw failure(path_ + " could not be written");
        kept_ = true;
    }
    std::ofstream stream;

private:
    std::string path_;
    bool kept_{false};
};

boost::json::object to_json(move_report const& made) {
    return {{"organizationId", to_string(made.organization.id)},
            {"organization", made.organization.slug},
            {"rows", made.rows},
            {"auditHead", {{"sequence", made.audit.sequence}, {"hash", made.audit.hash}}}};
}

void print_report(invocation& call, std::ostream& to, std::string_view verb, move_report const& made) {
    if (call.json()) return print_json(to, to_json(made));
    to << made.organization.slug << ' ' << verb << ": " << made.rows << " rows; the audit chain ends with sequence "
       << made.audit.sequence << ", hash " << made.audit.hash << '\n';
}

auto reporter(invocation& call) {
    return [&call](std::string const& sentence) { call.err << sentence << std::endl; };
}

int export_to(invocation& call) {
    export_options const how{pepper_of(call), call.duration("--settle", default_settle),
                             call.duration("--wait", default_wait), reporter(call)};
    auto const which = organization_of(call);
    auto const& file = call.operands().front();
    if (file == standard_stream) {
        print_report(call, call.err, "exported", export_organization(call.database(), which, how, call.out));
        return done;
    }
    private_file to(file);
    auto const made = export_organization(call.database(), which, how, to.stream);
    to.commit();
    print_report(call, call.out, "exported", made);
    return done;
}

int import_from(invocation& call) {
    import_options const how{pepper_of(call), call.has("--other-pepper"), reporter(call)};
    auto const& file = call.operands().front();
    std::ifstream opened;
    if (file != standard_stream) {
        opened.open(file, std::ios::binary);
        if (!opened) throw failure("can't open " + file);
    }
    auto const made = import_organization(call.database(), how, file == standard_stream ? std::cin : opened);
    print_report(call, call.out, "imported", made);
    auto const verified = audit::verify(call.database(), made.organization.id, {}, [](audit::discrepancy const&) {});
    if (verified.discrepancies == 0) return done;
    call.err << "the audit chain is not intact: see `recruitctl audit verify --organization " << made.organization.slug
             << "` here and in the other installation\n";
    return failed;
}

int remove(invocation& call) {
    auto const which = organization_of(call);
    if (!call.has("--imported"))
        throw usage_error("give --imported once the other installation has imported it: all of it is deleted here");
    auto& database = call.database();
    if (!store::is_frozen(database, which.id)) throw failure("the organization is not frozen. Nothing was deleted");
    if (!store::ends_with_export(database, which.id))
        throw failure("the audit chain does not end with the export: something happened after it, or it was not "
                      "exported. Nothing was deleted");
    pg::transaction whole(database);
    store::remove(database, which.id);
    whole.commit();
    if (call.json())
        print_json(call.out,
                   {{"organizationId", to_string(which.id)}, {"organization", which.slug}, {"removed", true}});
    else call.out << which.slug << " removed\n";
    return done;
}

} // namespace

std::vector<command> move_commands() {
    option const organization{"--organization", "SLUG", "organization slug", true};
    return {
        {"organization freeze",
         "Freeze an organization, so that it can be exported.",
         {organization},
         freeze,
         R"(Nothing of a frozen organization changes: requests with its API keys get 503 with Retry-After, the console does
not offer it, no times can be booked, links in mails get 503, and its mails and booking requests wait. Careers
pages and published jobs are still served.)"},
        {"organization unfreeze",
         "End the freeze, if the organization is not moved after all.",
         {organization},
         unfreeze,
         "Not after the file was imported elsewhere: both installations would then send its mails."},
        {"organization export",
         "Export a frozen organization to a file, to import it in another installation.",
         {organization,
          {"--settle", "DURATION", "time that a request which began before the freeze may take (30s)"},
          {"--wait", "DURATION", "maximum wait for agent runs, mails and transactions in progress (5m)"}},
         export_to,
         R"(FILE is created with mode 0600 and must not exist; - is standard output. It holds everything of the organization:
records, hashes of API keys and links, and the audit log. Treat it as a backup, and delete it after the import.
Nothing is written to it until everything that began before the freeze has ended. If something is written
meanwhile, the command fails and deletes the file.)",
         "FILE"},
        {"organization import",
         "Import an organization that another installation has exported.",
         {{"--other-pepper", "", "import although its API keys will not work here"}},
         import_from,
         R"(All or nothing, in one transaction. Both installations need the same schema version, and the same
RECRUITING_KEY_PEPPER_FILE for API keys to continue to work. IDs stay the same. Clients start their syncs again, and members sign in
again. - is standard input. Exit code 1 if the audit chain is not intact afterwards.)",
         "FILE"},
        {"organization remove",
         "Delete a frozen organization that was exported and imported elsewhere.",
         {organization, {"--imported", "", "required: the other installation has imported it"}},
         remove,
         "It rejects an organization that has audit rows after the export. Audit rows are deleted too: the other\n"
         "installation has them."},
    };
}

} // namespace recruiting::recruitctl
