// recruitctl demo load.
#include "http/json_writer.hpp"
#include "recruitctl/commands.hpp"
#include "recruitctl/demo/load.hpp"
#include "recruitctl/import/report.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

std::string as_json(demo_options const& options, demo_result const& loaded) {
    std::string out;
    http::json_writer w(out);
    auto const& slug = options.organization;
    w.open_object().field("organization", slug).field("adminEmail", "admin@" + slug + ".example");
    w.field("jobId", loaded.state.job_id).field("publicJobId", loaded.state.job_id);
    w.field("stageId", loaded.state.stage_id).field("candidateId", loaded.state.candidate_id);
    w.key("candidateEmail");
    if (loaded.state.candidate_id) w.value(loaded.state.candidate_email);
    else w.null();
    w.key("slotStart");
    if (loaded.slot) w.value(format_time(*loaded.slot));
    else w.null();
    w.field("openedSlots", loaded.opened_slots);
    w.field("jobs", loaded.state.jobs).field("candidates", loaded.state.candidates);
    w.field("addedJobs", loaded.added_jobs).field("addedCandidates", loaded.added_candidates).close_object();
    return out;
}

int load(invocation& call) {
    demo_options options;
    options.organization = call.find("--organization").value_or("acme");
    options.jobs = static_cast<std::uint64_t>(call.number("--jobs", 40, 1, 10'000));
    options.candidates = static_cast<std::uint64_t>(call.number("--candidates", 1000, 0, 20'000'000));
    options.seed = static_cast<std::uint64_t>(call.number("--seed", 1, 0, 1'000'000'000'000));
    import_progress progress(call.err, "candidates", options.candidates);
    auto const loaded = load_demo(call.database(), options, progress);
    if (call.json()) call.out << as_json(options, loaded) << '\n';
    else
        call.out << "organization " << options.organization << " has " << with_commas(loaded.state.jobs)
                 << " demo jobs and " << with_commas(loaded.state.candidates) << " demo candidates ("
                 << with_commas(loaded.added_jobs) << " and " << with_commas(loaded.added_candidates)
                 << " added); its admin is admin@" << options.organization << ".example\n";
    return done;
}

} // namespace

std::vector<command> demo_commands() {
    command load_command;
    load_command.words = "demo load";
    load_command.summary = "Load invented, realistic data: an organization with jobs, candidates and billing";
    load_command.options = {
        {.name = "--organization", .value = "SLUG", .help = "the organization to make or add to (acme)"},
        {.name = "--jobs", .value = "N", .help = "how many jobs it shall have (40)"},
        {.name = "--candidates", .value = "N", .help = "how many candidates it shall have (1000)"},
        {.name = "--seed", .value = "S", .help = "the same seed and organization make the same records (1)"}};
    load_command.run = load;
    load_command.details = "Makes members admin@, recruiter@, manager@, interviewer@ and viewer@SLUG.example with the "
                           "roles of these names,\n"
                           "and a small second organization, globex. Interview slots of the next two weeks are open "
                           "to be booked.\n"
                           "Loading again adds the slots of days that have come nearer, and with larger numbers up to "
                           "them; else nothing.\n"
                           "An organization the demo did not make is refused.";
    return {load_command};
}

} // namespace recruiting::recruitctl
