#include "public_api/feeds/job_board_xml.hpp"

#include "public_api/feeds/naming.hpp"
#include "public_api/feeds/xml_writer.hpp"

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

} // namespace recruiting::public_api
