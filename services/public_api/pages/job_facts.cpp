#include "public_api/pages/job_facts.hpp"

#include "public_api/feeds/feed_page.hpp"

namespace recruiting::public_api {
namespace {

std::string grouped(std::int64_t number, std::string_view separator) {
    auto const digits = std::to_string(number);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += separator;
        out += digits[i];
    }
    return out;
}

} // namespace

std::string salary_in_words(published_job const& job, words const& in) {
    if ((!job.salary_min && !job.salary_max) || !job.salary_currency || !job.salary_period) return {};
    std::string out;
    if (job.salary_min) out += grouped(*job.salary_min, in.thousands);
    if (job.salary_max && job.salary_max != job.salary_min) {
        if (!out.empty()) out += "–";
        else out += "≤ ";
        out += grouped(*job.salary_max, in.thousands);
    } else if (!job.salary_max) {
        out.insert(0, "≥ ");
    }
    return out.append(" ").append(*job.salary_currency).append(" ").append(word_for(in, *job.salary_period));
}

std::string summary_in_words(published_job const& job, words const& in) {
    std::string out;
    auto const add = [&out](std::string_view part) {
        if (!part.empty()) out.append(out.empty() ? "" : " · ").append(part);
    };
    add(job.department.value_or(""));
    add(place_of(job));
    add(word_for(in, job.workplace_type.value_or("")));
    add(word_for(in, job.employment_type.value_or("")));
    return out;
}

} // namespace recruiting::public_api
