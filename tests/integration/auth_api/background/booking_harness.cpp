#include "integration/auth_api/background/booking_harness.hpp"

#include "mail/address.hpp"
#include "support/directory.hpp"

#include <list>

namespace recruiting::test {

running_booking_worker::running_booking_worker(event_loop& loop, std::string const& url,
                                               auth_api::booking::booking_settings settings)
    : connection(loop.context, loop.clock, workers_connection(url)),
      worker(auth_api::booking::start_worker(loop.context, connection, std::move(settings), metrics)) {}

booking_system::booking_system() { add_organization(); }

void booking_system::add_organization() {
    auto& owner = database.owner();
    slug = new_slug();
    organization = make_organization(owner, slug).id;
    job = new_record_id();
    stage = new_record_id();
    owner.run("UPDATE recruiting.organizations SET time_zone = 'Europe/Berlin'");
    owner.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published) "
              "VALUES ($1, $2, 'Engineer', 'open', true)",
              pg::params().id(job).id(organization));
    owner.run("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
              "interview_duration_minutes) VALUES ($1, $2, $3, 'Interview', 'interview', 1, true, 45)",
              pg::params().id(stage).id(organization).id(job));
}

uuid booking_system::add_interviewer() {
    auto const email = "interviewer" + std::to_string(++interviewers_) + "@" + slug + ".example";
    return make_member(database.owner(), slug, email, role::interviewer).id;
}

uuid booking_system::open_slot(uuid const& interviewer, int in_hours, std::string const& join_url) {
    auto const id = new_record_id();
    database.owner().run(
        "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, "
        "membership_id, starts_at, ends_at, join_url) "
        "VALUES ($1, $2, $3, $4, $5, $6, $6::timestamptz + interval '45 minutes', nullif($7, ''))",
        pg::params().id(id).id(organization).id(job).id(stage).id(interviewer).time(at(in_hours)).text(join_url));
    return id;
}

uuid booking_system::add_candidate(std::string const& email) {
    auto const candidate = new_record_id();
    auto const application = new_record_id();
    database.owner().run(
        "INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key) "
        "VALUES ($1, $2, 'Candidate', $3, $4)",
        pg::params().id(candidate).id(organization).text(email).text(mail::canonical_address(email).value()));
    database.owner().run("INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id) "
                         "VALUES ($1, $2, $3, $4, $5)",
                         pg::params().id(application).id(organization).id(candidate).id(job).id(stage));
    return application;
}

void booking_system::ask(std::string const& email, int in_hours, std::string const& time_zone,
                         std::string const& language) {
    pg::client visitor(database.public_url(), "tests");
    visitor.run(
        "INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email, "
        "time_zone, language) VALUES ($1, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''))",
        pg::params().id(organization).id(job).id(stage).time(at(in_hours)).text(email).text(time_zone).text(language));
}

void booking_system::work(auth_api::booking::booking_settings settings, int workers) {
    settings.interval = std::chrono::milliseconds{20};
    event_loop loop;
    std::list<running_booking_worker> running;
    for (int i = 0; i < workers; ++i) running.emplace_back(loop, database.auth_url(), settings);
    auto const kept_in_excess = "SELECT count(*) > greatest(" + std::to_string(settings.most_unmatched) +
                                ", 1) FROM recruiting.unmatched_booking_requests";
    loop.run_until([&] { return waiting() == "0" && value(kept_in_excess) == "false"; });
}

void booking_system::change(std::string const& sql) { database.owner().script(sql); }

std::string booking_system::value(std::string const& sql) {
    auto const rows = database.owner().run("SELECT (" + sql + ")::text");
    return std::string(rows.text(0, 0));
}

std::string booking_system::mails() {
    return value("SELECT coalesce(string_agg(audience || ' ' || kind, ', ' ORDER BY audience, kind), '') "
                 "FROM recruiting.mail_outbox");
}

} // namespace recruiting::test
