// candidate export, erase: a person's rights to a copy of their data and to its erasure (GDPR articles 15 and 17).
#include "directory/organizations.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/private_file.hpp"
#include "recruitctl/commands/restore.hpp"
#include "recruitctl/erasure/erase_store.hpp"
#include "recruitctl/erasure/export_store.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

erasure::person person_of(invocation& call) {
    if (call.has("--id") == call.has("--email")) throw usage_error("give either --id or --email");
    auto const organization = or_fail(directory::find_organization(call.database(), call.get("--organization")));
    return erasure::find_person(call.database(), organization.id, call.find_id("--id"), call.find("--email"),
                                call.list("--name"));
}

int export_candidate(invocation& call) {
    auto const of = person_of(call);
    auto document = erasure::export_person(call.database(), of);
    document["organization"] = call.get("--organization");
    auto const file = call.get("--output");
    if (file == "-") {
        print_json(call.out, document);
        return done;
    }
    write_private_file(file, boost::json::serialize(document) + '\n');
    auto const count = [&](char const* name) { return document.at(name).as_array().size(); };
    if (call.json())
        print_json(call.out, {{"file", file},
                              {"candidates", count("candidates")},
                              {"bookingRequests", count("bookingRequests")},
                              {"agentTexts", count("agentTexts")}});
    else
        call.out << file << ": " << count("candidates") << " candidates, " << count("bookingRequests")
                 << " booking requests, " << count("agentTexts") << " texts of the agent that name the person\n";
    if (count("agentTexts") > 0)
        call.err << "Texts of the agent may name other people, too: read them before you hand the file over.\n";
    return done;
}

std::vector<uuid> kept_sessions(invocation const& call) {
    std::vector<uuid> ids;
    for (auto const& text : call.list("--keep-session")) {
        auto const id = parse_id(text);
        if (!id) throw usage_error(text + " is not a session's id: 32 hex characters");
        ids.push_back(*id);
    }
    return ids;
}

boost::json::array json_ids(std::vector<uuid> const& ids) {
    boost::json::array out;
    for (auto const& id : ids) out.emplace_back(to_string(id));
    return out;
}

void print_erased(invocation& call, erasure::person const& of, erasure::record_counts const& counts,
                  std::vector<erasure::named_session> const& sessions, erasure::interviews_ahead const& ahead,
                  bool erased) {
    if (call.json()) {
        boost::json::array named;
        for (auto const& one : sessions)
            named.push_back({{"id", to_string(one.id)}, {"namedBy", to_string(one.how)}, {"title", one.title}});
        boost::json::array interviews;
        for (auto const& one : ahead.booked)
            interviews.push_back({{"bookingId", to_string(one.booking_id)},
                                  {"startsAt", format_time(one.starts_at)},
                                  {"interviewer", one.interviewer_email}});
        print_json(call.out, {{"erased", erased},
                              {"candidates", json_ids(of.candidates)},
                              {"applications", counts.applications},
                              {"bookings", counts.bookings},
                              {"mails", counts.mails},
                              {"bookingRequests", counts.booking_requests},
                              {"sessions", std::move(named)},
                              {"interviewsAhead", std::move(interviews)}});
        return;
    }
    for (auto const& id : of.candidates) call.out << "candidate " << to_string(id) << '\n';
    call.out << counts.applications << " applications, " << counts.bookings << " bookings, " << counts.mails
             << " mails in the outbox, " << counts.booking_requests << " booking requests\n";
    for (auto const& one : sessions)
        call.out << "session " << to_string(one.id) << ", found by " << to_string(one.how) << ": " << one.title << '\n';
    for (auto const& one : ahead.booked)
        call.out << "interview with " << one.interviewer_email << " at " << format_time(one.starts_at) << '\n';
    call.out << (erased ? "All of this is erased.\n" : "Nothing is erased yet: add --yes to erase all of this.\n");
}

// Interviewers are mailed while the mails can still name the candidate. Nothing: no interview is in the way.
std::optional<int> cancel_first(invocation& call, erasure::person const& of) {
    auto ahead = erasure::select_interviews(call.database(), of);
    if (!ahead.booked.empty()) {
        if (!call.has("--cancel-interviews"))
            throw failure("the candidate has an interview that has not ended: add --cancel-interviews, "
                          "or wait for its end");
        erasure::cancel_interviews(call.database(), of);
        ahead = erasure::select_interviews(call.database(), of);
    }
    if (ahead.booked.empty() && ahead.cancellations_waiting == 0) return std::nullopt;
    call.err << (ahead.booked.empty() ? "Interviews are canceled, and the interviewers' mails wait to be sent. "
                                      : "An interview is in progress. ")
             << "Nothing is erased yet: run the command again afterwards.\n";
    return partial;
}

// Killed at any moment, it is run again: the candidates' records, which name the person, go last.
std::pair<erasure::record_counts, std::vector<erasure::named_session>>
erase(invocation& call, erasure::person const& of, std::vector<uuid> const& kept, bool interviews_are_told) {
    auto& database = call.database();
    erasure::hide(database, of);
    erasure::await_runs(database, of.organization_id, [&](std::size_t runs) {
        call.err << "The candidate is hidden; waiting for " << runs << " agent runs in progress to end\n";
    });
    auto sessions = erasure::find_sessions(database, of);
    std::erase_if(sessions, [&](auto const& one) { return std::ranges::find(kept, one.id) != kept.end(); });
    for (auto const& one : sessions) erasure::delete_session(database, one.id);
    return {erasure::erase_records(database, of, kept, interviews_are_told), std::move(sessions)};
}

// After a restore. Interviewers had been mailed before the first erasure.
int erase_from(invocation& call) {
    for (auto const* const other : {"--organization", "--id", "--email", "--name", "--keep-session", "--yes"})
        if (call.has(other)) throw usage_error("give either --from or " + std::string(other));
    auto const kept = read_revocations_file(call.get("--from"));
    auto const restored = erasure::select_restored(call.database(), kept.erasures);
    boost::json::array candidates;
    boost::json::array organizations;
    for (auto const& one : restored) {
        if (one.subject_id == one.organization_id) {
            organizations.emplace_back(to_string(one.subject_id));
            call.err << "organization " << to_string(one.subject_id) << " was deleted at " << format_time(one.erased_at)
                     << " and is back: see organization list, "
                     << "and run organization delete\n";
            continue;
        }
        auto const of = erasure::find_person(call.database(), one.organization_id, one.subject_id, std::nullopt, {});
        erase(call, of, one.kept_sessions, true);
        candidates.emplace_back(to_string(one.subject_id));
        if (!call.json()) call.out << "candidate " << to_string(one.subject_id) << " erased again\n";
    }
    auto const others = kept.erasures.size() - restored.size();
    auto const back = organizations.size();
    if (call.json())
        print_json(call.out, {{"takenAt", json_time(kept.taken_at)},
                              {"erased", std::move(candidates)},
                              {"organizationsToDelete", std::move(organizations)},
                              {"notRestored", others}});
    else
        call.out << restored.size() - back << " erased again, " << others
                 << " were not restored or are erased already; the file knows erasures up to "
                 << shown_time(kept.taken_at) << '\n';
    return back == 0 ? done : partial;
}

int erase_candidate(invocation& call) {
    if (call.has("--from")) return erase_from(call);
    if (!call.has("--organization")) throw usage_error("--organization SLUG is missing");
    auto const of = person_of(call);
    auto const kept = kept_sessions(call);
    if (!call.has("--yes")) {
        print_erased(call, of, erasure::count_records(call.database(), of), erasure::find_sessions(call.database(), of),
                     erasure::select_interviews(call.database(), of), false);
        return done;
    }
    if (auto const waits = cancel_first(call, of)) return *waits;
    auto const [counts, sessions] = erase(call, of, kept, false);
    print_erased(call, of, counts, sessions, {}, true);
    return done;
}

} // namespace

std::vector<command> candidate_commands() {
    option const id{"--id", "ID", "candidate ID"};
    option const email{"--email", "E-MAIL", "every candidate with this address"};
    option const name{"--name", "NAME", "further name that texts of the agent may use; commas separate names", false,
                      true};
    return {
        {"candidate export",
         "Write everything the database holds about one person to a file.",
         {{"--organization", "SLUG", "organization slug", true},
          id,
          email,
          name,
          {"--output", "FILE", "new file, readable by its owner alone; - is the standard output", true}},
         export_candidate,
         R"(One JSON document: candidates with applications, bookings and mails; booking requests; texts of the agent that name
the person by id, address or name. It lists where else data may be, such as mailboxes and backups.)"},
        {"candidate erase",
         "Erase one person: records, bookings, mails, and agent sessions that name them.",
         {{"--organization", "SLUG", "organization slug; not with --from"},
          id,
          email,
          name,
          {"--keep-session", "ID", "agent sessions to keep, because they name another person", false, true},
          {"--cancel-interviews", "", "cancel interviews ahead; candidate and interviewers are mailed"},
          {"--yes", "", "erase; without it the command only shows what it would erase"},
          {"--from", "FILE",
           "after a restore: erase every candidate that an `audit head --json` document lists as erased"}},
         erase_candidate,
         R"(Agent sessions are found by the candidate's ids, address and name, and deleted whole. Another person may have the same
name: read the list first, and keep such sessions. With --yes, the candidate is hidden first; then the command waits for
agent runs in progress. Stopped at any moment, it can be run again.
While an interview is ahead, or the mail that cancels it waits, nothing is erased. Syncs report the deletion. Delete the
person in the system that imports come from, too: the next import would create them again.
Exit code 4: run the command again, as it says.)"},
    };
}

} // namespace recruiting::recruitctl
