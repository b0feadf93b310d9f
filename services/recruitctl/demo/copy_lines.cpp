#include "recruitctl/demo/store.hpp"

#include "core/text.hpp"
#include "html/text.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

class copy_line {
public:
    explicit copy_line(std::string& out) : out_(out) {}
    ~copy_line() { out_ += '\n'; }
    copy_line(copy_line const&) = delete;
    copy_line& operator=(copy_line const&) = delete;

    copy_line& id(uuid const& value) {
        append_id(next(), value);
        return *this;
    }
    copy_line& text(std::string_view value) {
        pg::append_copy_text(next(), value);
        return *this;
    }
    copy_line& text_or_null(std::string_view value) { return value.empty() ? null() : text(value); }
    copy_line& number(std::int64_t value) {
        append_number(next(), value);
        return *this;
    }
    copy_line& flag(bool value) {
        next() += value ? 't' : 'f';
        return *this;
    }
    copy_line& time(std::optional<timestamp> value) {
        if (!value) return null();
        append_time(next(), *value);
        return *this;
    }
    copy_line& null() {
        next() += "\\N";
        return *this;
    }

private:
    std::string& next() {
        if (!first_) out_ += '\t';
        first_ = false;
        return out_;
    }
    std::string& out_;
    bool first_{true};
};

void add_stages(std::string& out, uuid organization, demo_job const& job) {
    std::int64_t position = 0;
    for (auto const& stage : job.stages) {
        copy_line line(out);
        line.id(stage.id).id(organization).id(job.id).text(stage.name).text(stage.kind).number(position++);
        line.flag(stage.minutes > 0);
        if (stage.minutes > 0) line.number(stage.minutes);
        else line.null();
        line.time(job.created_at).time(job.created_at);
    }
}

std::string array_of(std::vector<std::string> const& values) {
    std::string literal = "{";
    for (auto const& value : values) {
        if (literal.size() > 1) literal += ',';
        pg::append_array_element(literal, value);
    }
    return literal + '}';
}

void add_applications(std::string& out, uuid organization, demo_candidate const& candidate) {
    for (auto const& application : candidate.applications) {
        copy_line line(out);
        line.id(application.id).id(organization).text(application.external_id).id(candidate.id).id(application.job_id);
        line.id(application.stage_id).text(application.status).text(candidate.source).time(application.applied_at);
        line.time(application.stage_entered_at).time(application.rejected_at).time(application.hired_at);
        line.text_or_null(application.rejection_reason).time(application.applied_at).time(application.updated_at);
    }
}

} // namespace

demo_job_lines copy_lines_of(uuid organization, std::vector<uuid> const& memberships, std::span<demo_job const> jobs) {
    demo_job_lines lines;
    for (auto const& job : jobs) {
        auto const published_at = job.published ? job.opened_at : std::nullopt;
        auto const updated_at =
            std::max({job.created_at, job.opened_at.value_or(job.created_at), job.closed_at.value_or(job.created_at)});
        {
            copy_line line(lines.jobs);
            line.id(job.id).id(organization).text(job.external_id).text(job.title).text(job.status);
            line.text(job.requisition_id).text(job.department).text(job.location_name).text(job.city).text(job.region);
            line.text(job.country_code).text(job.workplace_type).text(job.employment_type).number(job.openings);
            line.number(job.salary_min)
                .number(job.salary_max)
                .text(job.currency)
                .text("year")
                .flag(job.salary_published);
            line.flag(job.published).time(published_at).time(job.opened_at).time(job.closed_at);
            line.text(job.description_html).text(html::to_text(job.description_html));
            line.time(job.created_at).time(updated_at);
        }
        add_stages(lines.stages, organization, job);
        for (auto const& member : job.team) {
            copy_line line(lines.teams);
            line.id(organization).id(job.id).id(memberships[member.member]).text(member.role);
        }
    }
    return lines;
}

demo_candidate_lines copy_lines_of(uuid organization, std::span<demo_candidate const> candidates) {
    demo_candidate_lines lines;
    for (auto const& candidate : candidates) {
        {
            copy_line line(lines.candidates);
            line.id(candidate.id).id(organization).text(candidate.external_id).text(candidate.name);
            line.text(candidate.email)
                .text(candidate.email)
                .text_or_null(candidate.phone)
                .text(candidate.current_title);
            line.text(candidate.current_company).text(candidate.city).text(candidate.region);
            line.text(candidate.country_code).text(candidate.links).text(candidate.source);
            line.text(array_of(candidate.tags)).time(candidate.last_activity_at).time(candidate.created_at);
            line.time(candidate.last_activity_at);
        }
        add_applications(lines.applications, organization, candidate);
    }
    return lines;
}

} // namespace recruiting::recruitctl
