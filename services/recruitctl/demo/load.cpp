#include "recruitctl/demo/load.hpp"

#include "recruitctl/command.hpp"
#include "recruitctl/demo/slot_store.hpp"

namespace recruiting::recruitctl {
namespace {

class loader {
public:
    loader(pg::client& client, std::uint64_t seed, std::size_t batch, demo_organization organization,
           import_progress& progress)
        : client_(client), store_(client), seed_(seed), batch_(batch), organization_(std::move(organization)),
          progress_(progress) {}

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

    std::uint64_t add_jobs(std::uint64_t from, std::uint64_t to) {
        std::vector<demo_job> jobs;
        for (auto index = from; index < to; ++index) jobs.push_back(make_demo_job(seed_, organization_, index));
        pg::transaction all(client_);
        store_.lock();
        if (store_.state(id_).jobs != from) throw failure("another demo load is running");
        store_.add_jobs(id_, memberships_, jobs);
        all.commit();
        return to - from;
    }

    std::uint64_t add_candidates(std::uint64_t job_count, std::uint64_t from, std::uint64_t to) {
        std::vector<demo_job> jobs;
        for (std::uint64_t index = 0; index < job_count; ++index)
            jobs.push_back(make_demo_job(seed_, organization_, index));
        for (auto index = from; index < to;) {
            auto const end = std::min(to, index + batch_);
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
    std::size_t batch_;
    demo_organization organization_;
    import_progress& progress_;
    uuid id_;
    std::vector<uuid> memberships_;
};

} // namespace

demo_result load_demo(pg::client& client, demo_options const& options, import_progress& progress) {
    if (options.organization == "globex")
        throw failure("globex is the demo's second organization: choose another slug");
    demo_store(client).prepare();
    auto const make = [&](std::string const& slug, bool full) {
        return loader(client, options.seed, options.batch, make_demo_organization(options.seed, slug, full), progress);
    };
    static_cast<void>(make("globex", false).run(4, 25)); // someone else's data, to see that tenants are apart
    auto result = make(options.organization, true).run(options.jobs, options.candidates);
    progress.clear();
    return result;
}

} // namespace recruiting::recruitctl
