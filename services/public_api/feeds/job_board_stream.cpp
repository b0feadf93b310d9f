#include "public_api/feeds/job_board_stream.hpp"

#include "http/handler.hpp"
#include "public_api/answer.hpp"
#include "public_api/feeds/job_board_xml.hpp"

namespace recruiting::public_api {
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
