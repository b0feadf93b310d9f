// An organization of a test's own, its jobs changed as recruiters change them.
#pragma once
#include "core/ids.hpp"
#include "pg/client.hpp"

#include <string>

namespace recruiting::test {

class own_organization {
public:
    explicit own_organization(pg::client& owner)
        : owner_(owner), id_(to_string(new_record_id())), slug_("o" + id_.substr(8)) {
        owner_.run("INSERT INTO recruiting.organizations (id, slug, name, time_zone) VALUES ($1, $2, 'Own', 'UTC')",
                   pg::params().text(id_).text(slug_));
    }

    [[nodiscard]] std::string const& slug() const noexcept { return slug_; }
    [[nodiscard]] std::string const& id() const noexcept { return id_; }
    /// Published and open; its id.
    std::string add_job(std::string const& title) {
        auto const id = to_string(new_record_id());
        owner_.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published, published_at) "
                   "VALUES ($1, $2, $3, 'open', true, clock_timestamp())",
                   pg::params().text(id).text(id_).text(title));
        return id;
    }
    void add_jobs(int count) {
        owner_.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published, published_at, "
                   "description_text) SELECT gen_random_uuid(), $1, 'Job ' || n, 'open', true, clock_timestamp(), "
                   "repeat('words ', 200) FROM generate_series(1, $2::int) n",
                   pg::params().text(id_).integer(count));
    }
    void change_job(std::string const& job, std::string const& set) {
        owner_.run("UPDATE recruiting.jobs SET " + set + " WHERE id = $1", pg::params().text(job));
    }
    void change(std::string const& set) {
        owner_.run("UPDATE recruiting.organizations SET " + set + " WHERE id = $1", pg::params().text(id_));
    }

private:
    pg::client& owner_;
    std::string id_;
    std::string slug_;
};

} // namespace recruiting::test
