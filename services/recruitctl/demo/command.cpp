// recruitctl demo load: loads what is missing of the demo, in batches that are each there as a whole or not at all, so
// that an interrupted load continues where it stopped and a second one changes nothing.
#include "recruitctl/command.hpp"
#include "http/json_writer.hpp"
#include "recruitctl/demo/store.hpp"
#include "recruitctl/import/run.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::uint64_t batch_size = 20'000; // candidates

struct demo_options {
    std::string organization;
    std::uint64_t jobs, candidates, seed;
};

struct demo_result {
    demo_state state;
    std::uint64_t added_jobs{0};
    std::uint64_t added_candidates{0};
    std::int64_t opened_slots{0};
    std::optional<timestamp> slot; // one to book, for candidate 0
};

// Throws failure when the organization is not the demo's, or holds demo data of another seed.
class loader {
public:
    loader(pg::client& client, std::uint64_t seed, demo_organization organization, import_progress& progress)
        : client_(client), store_(client), seed_(seed), organization_(std::move(organization)), progress_(progress) {}

    demo_result run(std::uint64_t jobs, std::uint64_t candidates) {
        make_organization();
        demo_result result;
        result.state = store_.state(id_);
        bool const more = result.state.jobs < jobs || result.state.candidates < candidates;
        if (more && result.state.job_id && result.state.job_id != make_demo_job(seed_, organization_, 0).id)
            throw failure("the demo data of " + organization_.slug + " was loaded with another --seed");
        if (result.state.jobs < jobs) result.added_jobs = add_jobs(result.state.jobs, jobs);
        if (result.state.candidates < candidates)
            result.added_candidates =
                add_candidates(std::max(jobs, result.state.jobs), result.state.candidates, candidates);
        if (result.added_jobs + result.added_candidates > 0) {
            store_.analyze();
            result.state = store_.state(id_);
        }
        result.opened_slots = open_demo_slots(client_, id_, organization_.slug);
        result.slot = find_demo_slot(client_, result.state.stage_id);
        return result;
    }

private:
    void make_organization() {
        pg::transaction first(client_);
        store_.lock();
        if (store_.is_foreign(organization_))
            throw failure("the organization " + organization_.slug + " is not the demo's: nothing was loaded into it");
        id_ = store_.ensure_organization(organization_);
        memberships_ = store_.ensure_members(id_, make_demo_members(seed_, organization_));
        store_.ensure_billing(id_, organization_, seed_);
        first.commit();
    }

    std::vector<demo_job> make_jobs(std::uint64_t from, std::uint64_t to) {
        std::vector<demo_job> jobs;
        for (auto index = from; index < to; ++index) jobs.push_back(make_demo_job(seed_, organization_, index));
        return jobs;
    }

    std::uint64_t add_jobs(std::uint64_t from, std::uint64_t to) {
        auto const jobs = make_jobs(from, to);
        pg::transaction all(client_);
        store_.lock();
        if (store_.state(id_).jobs != from) throw failure("another demo load is running");
        store_.add_jobs(id_, memberships_, jobs);
        all.commit();
        return to - from;
    }

    std::uint64_t add_candidates(std::uint64_t job_count, std::uint64_t from, std::uint64_t to) {
        auto const jobs = make_jobs(0, job_count);
        for (auto index = from; index < to;) {
            auto const end = std::min(to, index + batch_size);
            std::vector<demo_candidate> candidates;
            for (; index < end; ++index) candidates.push_back(make_demo_candidate(seed_, organization_, index, jobs));
            pg::transaction batch(client_);
            store_.lock();
            if (store_.state(id_).candidates != end - candidates.size()) throw failure("another demo load is running");
            store_.add_candidates(id_, candidates);
            batch.commit();
            progress_.show(end, end);
        }
        return to - from;
    }

    pg::client& client_;
    demo_store store_;
    std::uint64_t seed_;
    demo_organization organization_;
    import_progress& progress_;
    uuid id_;
    std::vector<uuid> memberships_;
};

demo_result load_demo(pg::client& client, demo_options const& options, import_progress& progress) {
    if (options.organization == "globex")
        throw failure("globex is the demo's second organization: choose another slug");
    demo_store(client).prepare();
    auto const make = [&](std::string const& slug, bool full) {
        return loader(client, options.seed, make_demo_organization(options.seed, slug, full), progress);
    };
    make("globex", false).run(4, 25); // someone else's data, to see that tenants are apart
    auto result = make(options.organization, true).run(options.jobs, options.candidates);
    progress.clear();
    return result;
}

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
    auto const number = [&call](char const* name, std::int64_t fallback, std::int64_t least, std::int64_t most) {
        return static_cast<std::uint64_t>(call.number(name, fallback, least, most));
    };
    demo_options const options{call.find("--organization").value_or("acme"), number("--jobs", 40, 1, 10'000),
                               number("--candidates", 1000, 0, 20'000'000), number("--seed", 1, 0, 1'000'000'000'000)};
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
    return {{
        "demo load",
        "Load realistic demo data: an organization with jobs, candidates and billing",
        {{"--organization", "SLUG", "organization to create or extend (acme)"},
         {"--jobs", "N", "number of jobs (40)"},
         {"--candidates", "N", "number of candidates (1000)"},
         {"--seed", "S", "seed of the generated records; the same seed gives the same records (1)"}},
        load,
        R"(Creates the members admin@, recruiter@, manager@, interviewer@ and viewer@SLUG.example with these roles, a small
second organization, globex, and interview slots for the next two weeks.
Running it again adds slots for later days, and records up to larger numbers; otherwise it changes nothing.
An organization that the demo did not create is rejected.)",
    }};
}

} // namespace recruiting::recruitctl
