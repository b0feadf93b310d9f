#include "public_api/pages/careers_page.hpp"

#include "core/text.hpp"
#include "public_api/feeds/feed_page.hpp"
#include "public_api/pages/html_writer.hpp"
#include "public_api/pages/page.hpp"

#include <algorithm>

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
    add(location_of(job));
    add(word_for(in, job.workplace_type.value_or("")));
    add(word_for(in, job.employment_type.value_or("")));
    return out;
}

namespace {

constexpr std::size_t longest_preview = 200; // bytes

void write_fact(html_writer& html, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    html.open("div").element("dt", name).element("dd", {{"dir", "auto"}}, value).close();
}

void write_facts(html_writer& html, published_job const& job, words const& in) {
    html.open("dl", {{"class", "facts"}});
    write_fact(html, in.location, location_of(job));
    write_fact(html, in.department, job.department.value_or(""));
    write_fact(html, in.workplace, word_for(in, job.workplace_type.value_or("")));
    write_fact(html, in.employment, word_for(in, job.employment_type.value_or("")));
    write_fact(html, in.salary, salary_in_words(job, in));
    write_fact(html, in.published, utc_date(job.published_at));
    if (job.closes_at) write_fact(html, in.closes, utc_date(*job.closes_at));
    html.close();
}

// Folded away: of all who read the page, few are invited.
void write_booking(html_writer& html, published_job const& job, words const& in) {
    for (auto const& stage : job.bookable_stages) {
        html.open("details").open("summary").text(in.invited);
        if (job.bookable_stages.size() > 1) html.text(" · ").element("bdi", stage.name);
        html.close();
        html.open("recruiting-booking", {{"job", to_string(job.id)}, {"stage", to_string(stage.id)}}).close();
        html.open("noscript").element("p", in.without_script).close().close();
    }
}

// The beginning of the description, cut between words.
std::string preview_of(std::string_view text) {
    auto end = truncate_utf8(text, longest_preview).size();
    auto const space = text.substr(0, end).find_last_of(" \n");
    bool const is_cut = end < text.size();
    if (is_cut && space != std::string_view::npos && space > end / 2) end = space;
    std::string out(text.substr(0, end));
    std::replace(out.begin(), out.end(), '\n', ' ');
    return is_cut ? out + "…" : out;
}

page_head head_of(published_organization const& organization, published_job const& job, std::string_view public_url) {
    page_head head;
    head.title = job.title;
    head.site = organization.name;
    head.description = preview_of(job.description_text);
    head.canonical = job.public_url;
    head.image = organization.logo_url.value_or("");
    head.rss = feed_address(organization, public_url, "jobs.rss");
    head.json_feed = feed_address(organization, public_url, "jobs.json");
    head.json_ld = job_posting(organization, job);
    return head;
}

} // namespace

result<plan> get_job_page(action_input const& input) {
    auto const id = parse_id(input.params[1]);
    auto const found = id ? input.published.find_job(*id, input.now) : catalogue::entry{};
    if (found.job == nullptr || found.organization->slug != input.params[0]) return make_error(error_code::not_found);
    auto const& organization = *found.organization;
    auto const& job = *found.job;
    auto const& in = requested_words(input.request.header("Accept-Language"));
    auto const list = "/careers/" + organization.slug;

    page shown;
    shown.language = in.language;
    shown.title = job.title + " · " + organization.name;
    shown.organization = organization.name;
    shown.home = list;
    shown.logo_url = organization.logo_url;
    shown.head = written(head_of(organization, job, input.public_url));
    if (!job.bookable_stages.empty()) shown.script = "/widget/v1.js";
    html_writer html(shown.main);
    html.open("p").element("a", {{"href", list}}, in.open_jobs).close();
    html.open("article").element("h1", {{"dir", "auto"}}, job.title);
    write_facts(html, job, in);
    write_booking(html, job, in);
    html.open("div", {{"dir", "auto"}}).markup(job.description_html).close();
    if (!job.public_url.starts_with(input.public_url + "/careers/"))
        html.open("p").element("a", {{"href", job.public_url}}, in.original).close();
    html.close();
    return answered(page_answer(shown));
}

} // namespace recruiting::public_api
