#include "public_api/feeds/job_board.hpp"

#include "http/handler.hpp"
#include "public_api/feeds/feed_page.hpp"
#include "public_api/feeds/xml_writer.hpp"
#include "public_api/http/answer.hpp"

#include <array>

namespace recruiting::public_api {
namespace {

std::string_view job_type_of(std::string_view ours) noexcept {
    static constexpr std::array<naming, 5> names = {{{"full_time", "fulltime"},
                                                     {"part_time", "parttime"},
                                                     {"contract", "contract"},
                                                     {"temporary", "temporary"},
                                                     {"internship", "internship"}}};
    return their_name(names, ours);
}

std::string_view remote_type_of(std::string_view workplace_type) noexcept {
    if (workplace_type == "remote") return "Fully remote";
    return workplace_type == "hybrid" ? "Hybrid remote" : std::string_view();
}

// "EUR 60000 - 80000 per year"
std::string salary_of(published_job const& job) {
    if (!job.salary_currency || !job.salary_period || (!job.salary_min && !job.salary_max)) return {};
    auto text = *job.salary_currency + ' ' + std::to_string(job.salary_min.value_or(*job.salary_max));
    if (job.salary_min && job.salary_max && *job.salary_min != *job.salary_max)
        text += " - " + std::to_string(*job.salary_max);
    return text + " per " + *job.salary_period;
}

} // namespace

std::string job_board_beginning(published_organization const& of, std::vector<job_pointer> const& jobs,
                                std::string_view public_url) {
    std::string out;
    xml_writer xml(out);
    xml.declaration();
    out += "<source>\n";
    xml.cdata("publisher", of.name).cdata("publisherurl", careers_address(of, public_url));
    if (!jobs.empty()) xml.element("lastBuildDate", rfc822_time(newest_change(jobs)));
    out += '\n';
    return out;
}

void append_job_board_job(std::string& out, std::string_view company, published_job const& job) {
    xml_writer xml(out);
    xml.open("job").cdata("title", job.title).cdata("date", rfc822_time(job.published_at));
    xml.cdata("referencenumber", to_string(job.id)).cdata("url", job.public_url).cdata("company", company);
    xml.cdata("sourcename", company);
    xml.cdata("city", job.location_city ? *job.location_city : job.location_name.value_or(""));
    xml.cdata("state", job.location_region.value_or("")).cdata("country", job.location_country_code.value_or(""));
    xml.cdata("description", job.description_html.empty() ? job.title : job.description_html);
    xml.cdata("salary", salary_of(job)).cdata("jobtype", job_type_of(job.employment_type.value_or("")));
    xml.cdata("category", job.department.value_or(""))
        .cdata("remotetype", remote_type_of(job.workplace_type.value_or("")));
    if (job.closes_at) xml.cdata("expirationdate", rfc822_time(*job.closes_at));
    xml.close();
    out += '\n';
}

namespace {

constexpr std::size_t piece = std::size_t{64} << 10U; // bytes, or one job more

// Holds the jobs it has yet to write, whatever becomes of the snapshot.
class job_board_source final : public http::body_source {
public:
    job_board_source(std::string beginning, std::string company, std::vector<job_pointer> jobs)
        : beginning_(std::move(beginning)), company_(std::move(company)), jobs_(std::move(jobs)) {}

    task<bool> next(std::string& out) override {
        out += std::exchange(beginning_, {});
        auto const begun = out.size();
        for (; at_ < jobs_.size() && out.size() - begun < piece; ++at_)
            append_job_board_job(out, company_, *jobs_[at_]);
        bool const is_last = at_ == jobs_.size();
        if (is_last && !std::exchange(ended_, true)) out += job_board_end;
        co_return !is_last;
    }

private:
    std::string beginning_;
    std::string company_;
    std::vector<job_pointer> jobs_;
    std::size_t at_{0};
    bool ended_{false};
};

std::string etag_of_jobs(std::string_view beginning, std::vector<job_pointer> const& jobs) {
    std::string text(beginning);
    for (auto const& job : jobs) text += job->etag;
    return etag_of(text);
}

} // namespace

http::response job_board_answer(published_organization const& of, feed_setting const& at) {
    auto jobs = page_of(of, at.now, 1, of.jobs.size() + 1).jobs;
    auto beginning = job_board_beginning(of, jobs, at.public_url);
    http::response answer;
    answer.content_type = "application/xml; charset=utf-8";
    answer.add("ETag", etag_of_jobs(beginning, jobs));
    answer.stream = std::make_shared<job_board_source>(std::move(beginning), of.name, std::move(jobs));
    return answer;
}

} // namespace recruiting::public_api
