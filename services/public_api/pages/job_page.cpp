#include "core/text.hpp"
#include "html/text.hpp"
#include "public_api/feeds/feeds.hpp"
#include "public_api/pages/careers_page.hpp"

#include <algorithm>

namespace recruiting::public_api {

std::string place_in_words(published_job const& job, reader const& to) {
    return location_of(job, describe_country(job.location_country_code.value_or(""), to));
}

std::string salary_in_words(published_job const& job, reader const& to) {
    auto const currency = job.salary_currency.value_or("");
    auto const period = job.salary_period.value_or("");
    return describe_salary({job.salary_min, job.salary_max, currency, period}, to);
}

page_head head_of_page(published_organization const& of, std::string_view public_url, std::string_view title) {
    page_head head;
    head.title = title;
    head.site = of.name;
    head.image = of.share_image_url.value_or(of.logo_url.value_or(""));
    head.rss = feed_address(of, public_url, "jobs.rss");
    head.json_feed = feed_address(of, public_url, "jobs.json");
    return head;
}

namespace {

constexpr std::size_t longest_preview = 200;      // bytes
constexpr std::size_t longest_introduction = 600; // bytes of its first paragraph on a job's page

// Where people apply: the posting's own page comes before the organization's home page.
std::string apply_address(published_organization const& organization, published_job const& job, bool is_posted_here) {
    if (job.apply_url) return *job.apply_url;
    return is_posted_here ? organization.website_url.value_or("") : job.public_url;
}

struct job_view {
    published_organization const& organization;
    published_job const& job;
    reader to;
    bool is_posted_here;
};

// The page's one action: to apply or, where that has no address, to choose an interview's time.
void write_action(html_writer& html, job_view const& of, std::string_view style) {
    auto const address = apply_address(of.organization, of.job, of.is_posted_here);
    if (!address.empty()) html.element("a", {{"class", style}, {"href", address}}, of.to.in.apply);
    else if (!of.job.bookable_stages.empty())
        html.element("a", {{"class", style}, {"href", "#interview"}}, of.to.in.script.book);
}

void write_title(html_writer& html, job_view const& of) {
    html.open("div", {{"class", "title-row"}}).element("h1", of.job.title);
    write_action(html, of, "button main");
    html.close();
}

void write_fact(html_writer& html, std::string_view label, std::string_view value) {
    if (!value.empty()) html.open("div").element("dt", label).element("dd", value).close();
}

void write_facts(html_writer& html, job_view const& of) {
    auto const& job = of.job;
    auto const& say = of.to.in.script;
    auto const word = [&](auto const& type) { return type ? word_for(of.to.in, *type) : std::string_view(); };
    auto const place = place_in_words(job, of.to);
    auto const pay = salary_in_words(job, of.to);
    if (!job.department && place.empty() && !job.workplace_type && !job.employment_type && pay.empty()) return;
    html.open("dl", {{"class", "facts"}});
    write_fact(html, of.to.in.salary, pay);
    write_fact(html, say.location, place);
    write_fact(html, say.workplace, word(job.workplace_type));
    write_fact(html, say.employment, word(job.employment_type));
    write_fact(html, say.department, job.department.value_or(""));
    html.close();
}

// Below the description; on phones it stays in view until the reader is there.
void write_apply(html_writer& html, job_view const& of) {
    html.open("div", {{"class", "apply row"}});
    write_action(html, of, "button main");
    if (of.job.closes_at) {
        auto const date = describe_date(*of.job.closes_at, of.organization.time_zone, of.to);
        html.element("p", {{"class", "quiet"}}, fill(of.to.in.script.closes, {{"date", date}}));
    }
    html.close();
}

// Folded away: of all who read the page, few are invited. The widget finds the stages that have times.
void write_booking(html_writer& html, published_job const& job, words const& in) {
    if (job.bookable_stages.empty()) return;
    html.open("details", {{"id", "interview"}}).element("summary", in.invited);
    html.open("recruiting-booking", {{"job", to_string(job.id)}, {"heading-level", "1"}}).close();
    html.open("noscript").element("p", in.without_script).close().close();
}

// The description without its headings: what a preview has room for is the text.
std::string without_headings(std::string_view html) {
    std::string out;
    while (!html.empty()) {
        auto const begin = std::min({html.find("<h2>"), html.find("<h3>"), html.find("<h4>")});
        out += html.substr(0, begin);
        if (begin == html.npos) break;
        auto const end = html.find("</h", begin);
        html.remove_prefix(end == html.npos ? html.size() : std::min(html.size(), end + 5));
    }
    return out;
}

// The beginning of the text, cut between words.
std::string preview_of(std::string const& text, std::size_t longest) {
    auto end = truncate_utf8(text, longest).size();
    auto const space = std::string_view(text).substr(0, end).find_last_of(" \n");
    bool const is_cut = end < text.size();
    if (is_cut && space != std::string_view::npos && space > end / 2) end = space;
    auto out = text.substr(0, end);
    std::ranges::replace(out, '\n', ' ');
    return is_cut ? out + "…" : out;
}

page_head head_of(published_organization const& organization, published_job const& job, std::string_view public_url) {
    auto head = head_of_page(organization, public_url, job.title);
    head.description = preview_of(html::to_text(without_headings(job.description_html)), longest_preview);
    head.canonical = job.public_url;
    head.json_ld = job_posting(organization, job);
    return head;
}

void write_about(html_writer& html, job_view const& of, std::string_view careers_page) {
    auto const& organization = of.organization;
    if (!organization.introduction_html) return;
    html.open("section", {{"class", "text"}, {"dir", "auto"}});
    html.element("h2", fill(of.to.in.about, {{"organization", organization.name}}));
    auto const text = html::to_text(without_headings(*organization.introduction_html));
    html.element("p", preview_of(text.substr(0, text.find("\n\n")), longest_introduction));
    html.open("p").open("a", {{"href", careers_page}});
    html.text(fill(of.to.in.all_of, {{"organization", organization.name}})).close().close().close();
}

} // namespace

result<plan> get_job_page(action_input const& input) {
    auto const found = input.published.find_job(input.params[1], input.now);
    if (found.job == nullptr || found.organization->slug != input.params[0]) return make_error(error_code::not_found);
    auto const& organization = *found.organization;
    auto const job = organization.whole(*found.job);
    auto const to = requested_reader(input.request.header("Accept-Language"));
    bool const is_posted_here = job.public_url.starts_with(input.public_url + "/careers/");

    page shown;
    shown.language = to.in.language;
    shown.title = job.title + " · " + organization.name;
    show_owner(shown, organization);
    shown.head = head_of(organization, job, input.public_url);
    if (!job.bookable_stages.empty()) shown.script = "/widget/v1.js";
    html_writer html(shown.main);
    html.open("p").element("a", {{"class", "back"}, {"href", shown.home}}, to.in.positions).close();
    job_view const view{organization, job, to, is_posted_here};
    html.open("article", {{"class", "stack"}});
    write_title(html, view);
    write_facts(html, view);
    html.open("div", {{"class", "text"}, {"dir", "auto"}}).markup(job.description_html).close();
    write_apply(html, view);
    write_booking(html, job, to.in);
    write_about(html, view, shown.home);
    auto const published = describe_date(job.published_at, organization.time_zone, to);
    html.element("p", {{"class", "small quiet"}}, fill(to.in.published, {{"date", published}}));
    if (!is_posted_here) html.open("p").element("a", {{"href", job.public_url}}, to.in.original).close();
    html.close();
    return page_answer(shown);
}

} // namespace recruiting::public_api
