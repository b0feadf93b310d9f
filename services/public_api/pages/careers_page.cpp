#include "public_api/pages/careers_page.hpp"

#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "public_api/catalogue/endpoints.hpp"
#include "public_api/feeds/feeds.hpp"
#include "public_api/pages/assets.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

std::optional<std::string> filled(std::optional<std::string> text) {
    if (!text || trim(*text).empty()) return std::nullopt;
    return std::string(trim(*text));
}

} // namespace

bool careers_query::is_filtered() const noexcept {
    return filters.department || filters.location || !filters.workplace_types.empty() ||
           !filters.employment_types.empty() || filters.q;
}

std::string careers_query::query_of_page(std::size_t number) const {
    std::string out;
    auto const add = [&out](std::string_view name, std::string_view value) {
        out.append(out.empty() ? "?" : "&").append(name).append("=").append(percent_encode(value));
    };
    if (filters.q) add("q", *filters.q);
    if (filters.department) add("department", *filters.department);
    if (filters.location) add("location", *filters.location);
    for (auto const& type : filters.workplace_types) add("workplaceType", type); // the form chooses one
    for (auto const& type : filters.employment_types) add("employmentType", type);
    if (number > 1) add("page", std::to_string(number));
    return out;
}

careers_query parse_careers_query(std::string_view raw) {
    constexpr auto empty = http::query_reader::empty::allowed;
    http::query_reader query(raw);
    careers_query wanted;
    auto& filters = wanted.filters;
    filters.q = filled(query.text("q", longest_filter, empty));
    filters.department = filled(query.text("department", longest_filter, empty));
    filters.location = filled(query.text("location", longest_filter, empty));
    if (auto const type = query.choice("workplaceType", workplace_types)) filters.workplace_types = {*type};
    if (auto const type = query.choice("employmentType", employment_types)) filters.employment_types = {*type};
    wanted.page = static_cast<std::size_t>(query.integer("page", 1, 1'000'000).value_or(1));
    return wanted;
}

careers_result find_careers_jobs(published_organization const& of, careers_query& wanted, timestamp now) {
    careers_result found;
    std::vector<packed_job const*> matching;
    auto const criteria = of.index.compile(wanted.filters);
    job_index::counter counter(of.index, criteria);
    // Asking each of ten thousand jobs would cost more than all else about the page.
    bool const all_open = of.closings.empty() || of.closings.front() > now;
    for (std::size_t i = 0; i < of.jobs.size(); ++i)
        if ((all_open || of.jobs[i]->is_open(now)) && counter.add(i)) matching.push_back(of.jobs[i].get());
    found.counts = counter.counts();
    found.last_page = std::max<std::size_t>(1, (matching.size() + careers_page_size - 1) / careers_page_size);
    wanted.page = std::min(wanted.page, found.last_page);
    auto const first = (wanted.page - 1) * careers_page_size;
    auto const end = std::min(matching.size(), first + careers_page_size);
    for (auto i = first; i < end; ++i) found.jobs.push_back(matching[i]);
    return found;
}

namespace {

struct view {
    published_organization const& organization;
    careers_query const& wanted;
    careers_result const& found;
    reader to;
    std::string address; // "/careers/acme"
};

struct choice {
    std::string value;
    std::string text;
};

// Of the choices, those that leave a job; and the chosen value even if no job has it, so that the form says what it
// shows. counts: as many as choices.
void write_choice(html_writer& html, view const& of, std::string_view name, std::string_view label,
                  std::vector<choice> choices, field_counts counts, std::optional<std::string> const& chosen) {
    auto const is_chosen = [&](choice const& one) { return one.value == chosen; };
    if (chosen && std::ranges::none_of(choices, is_chosen)) {
        choices.push_back({*chosen, *chosen});
        counts.choices.push_back(of.found.counts.matching);
    }
    auto const text = [&](std::string_view name_of_choice, std::size_t count) {
        return describe_choice(name_of_choice, static_cast<std::int64_t>(count), of.to);
    };
    html.open("div", {{"class", "field"}}).element("label", {{"for", name}}, label);
    html.open("select", {{"id", name}, {"name", name}});
    html.element("option", {{"value", ""}}, text(of.to.in.script.all, counts.all));
    for (std::size_t i = 0; i < choices.size(); ++i) {
        auto const selected = is_chosen(choices[i]) ? std::optional("") : std::nullopt;
        if (counts.choices[i] == 0 && !selected) continue;
        html.element("option", {{"value", choices[i].value}, {"selected", selected}},
                     text(choices[i].text, counts.choices[i]));
    }
    html.close().close();
}

std::vector<choice> as_they_are(std::vector<std::string> const& values) {
    std::vector<choice> out;
    for (auto const& value : values) out.push_back({value, value});
    return out;
}

std::vector<choice> in_words(std::initializer_list<std::string_view> values, words const& in) {
    std::vector<choice> out;
    for (auto const value : values) out.push_back({std::string(value), std::string(word_for(in, value))});
    return out;
}

std::vector<choice> places(view const& of) {
    std::vector<choice> out;
    for (auto const& place : of.organization.choices.locations)
        out.push_back({place.value, place.only_one ? place_in_words(facts_of(*place.only_one), of.to) : place.value});
    return out;
}

std::optional<std::string> the_one_of(std::vector<std::string> const& values) {
    return values.empty() ? std::nullopt : std::optional(values.front());
}

// On the list as a whole only: who filters it has read the text.
void write_introduction(html_writer& html, view const& of) {
    auto const& text = of.organization.introduction_html;
    if (!text || of.wanted.is_filtered() || of.wanted.page > 1) return;
    auto const label = fill(of.to.in.about, {{"organization", of.organization.name}});
    html.open("section", {{"class", "text"}, {"dir", "auto"}, {"aria-label", label}}).markup(*text).close();
}

void write_form(html_writer& html, view const& of) {
    auto const& filters = of.wanted.filters;
    auto const& in = of.to.in;
    auto const& counts = of.found.counts;
    // No autocomplete: after "Back" the form says what the list shows, and not what was chosen later.
    html.open(
        "form",
        {{"class", "filters"}, {"method", "get"}, {"action", of.address}, {"role", "search"}, {"autocomplete", "off"}});
    html.open("div", {{"class", "field"}}).element("label", {{"for", "q"}}, in.script.search);
    html.empty("input", {{"id", "q"},
                         {"name", "q"},
                         {"type", "search"},
                         {"placeholder", in.script.searched},
                         {"value", filters.q.value_or("")}});
    html.close();
    write_choice(html, of, "department", in.script.department, as_they_are(of.organization.choices.departments),
                 counts.departments, filters.department);
    write_choice(html, of, "location", in.script.location, places(of), counts.locations, filters.location);
    write_choice(html, of, "workplaceType", in.script.workplace, in_words(workplace_types, in), counts.workplace_types,
                 the_one_of(filters.workplace_types));
    write_choice(html, of, "employmentType", in.script.employment, in_words(employment_types, in),
                 counts.employment_types, the_one_of(filters.employment_types));
    html.open("div").element("button", {{"type", "submit"}}, in.show).close().close();
}

// Two lines: the department and the place; kind of workplace and of employment, and the salary where it is published.
void write_job_summary(html_writer& html, published_job const& job, reader const& to) {
    auto where = job.department.value_or("");
    if (auto const place = place_in_words(job, to); !place.empty())
        where.append(where.empty() ? "" : " · ").append(place);
    if (!where.empty()) html.element("p", {{"class", "quiet"}}, where);
    auto const pay = salary_in_words(job, to);
    if (!job.workplace_type && !job.employment_type && pay.empty()) return;
    html.open("div", {{"class", "tags small"}});
    for (auto const& type : {job.workplace_type, job.employment_type})
        if (type) html.element("span", {{"class", "tag"}}, word_for(to.in, *type));
    if (!pay.empty()) html.element("span", {{"class", "pay"}}, pay);
    html.close();
}

void write_job(html_writer& html, view const& of, published_job const& job) {
    auto const address = of.address + "/jobs/" + to_string(job.id);
    html.open("li", {{"class", "job"}}).open("div", {{"class", "head"}});
    html.open("h2").element("a", {{"class", "title"}, {"href", address}}, job.title).close();
    html.open("span", {{"class", "arrow"}, {"aria-hidden", "true"}}).close().close();
    write_job_summary(html, job, of.to);
    html.close();
}

void write_jobs(html_writer& html, view const& of) {
    if (of.found.jobs.empty()) {
        bool const is_filtered = of.wanted.is_filtered();
        html.open("div", {{"class", "notice"}})
            .element("p", is_filtered ? of.to.in.script.no_match : of.to.in.script.no_jobs);
        if (is_filtered) html.element("a", {{"class", "clear"}, {"href", of.address}}, of.to.in.script.clear);
        html.close();
        return;
    }
    html.open("ul", {{"class", "jobs"}, {"role", "list"}});
    for (auto const* job : of.found.jobs) write_job(html, of, of.organization.summary(*job));
    html.close();
}

void write_pages(html_writer& html, view const& of) {
    if (of.found.last_page == 1) return;
    auto const page = of.wanted.page;
    html.open("nav", {{"class", "after"}, {"aria-label", of.to.in.pages}});
    auto const link = [&](std::string_view relation, std::size_t number, std::string_view text) {
        auto const address = of.address + of.wanted.query_of_page(number);
        html.element("a", {{"class", "button"}, {"rel", relation}, {"href", address}}, text);
    };
    if (page > 1) link("prev", page - 1, of.to.in.previous);
    html.element("span", std::to_string(page) + " / " + std::to_string(of.found.last_page));
    if (page < of.found.last_page) link("next", page + 1, of.to.in.next);
    html.close();
}

// ItemList of schema.org: search engines then know that these belong together.
std::string item_list(view const& of) {
    std::string text;
    http::json_writer json(text);
    json.open_object().field("@context", "https://schema.org/").field("@type", "ItemList");
    json.key("itemListElement").open_array();
    auto position = (of.wanted.page - 1) * careers_page_size;
    for (auto const* job : of.found.jobs)
        json.open_object()
            .field("@type", "ListItem")
            .field("position", ++position)
            .field("url", of.organization.public_url(job->id))
            .close_object();
    json.close_array().close_object();
    return in_script(text);
}

page_head head_of(view const& of, std::string_view public_url, std::string_view title) {
    auto head = head_of_page(of.organization, public_url, title);
    head.description = fill(of.to.in.all_of, {{"organization", of.organization.name}});
    head.canonical = careers_address(of.organization, public_url);
    if (of.wanted.page > 1 && !of.organization.careers_page_url)
        head.canonical += "?page=" + std::to_string(of.wanted.page);
    head.is_found = !of.wanted.is_filtered(); // the jobs are found by themselves
    head.json_ld = item_list(of);
    return head;
}

} // namespace

result<plan> get_careers_page(action_input const& input) {
    auto const* const organization = input.published.find_organization(input.params[0]);
    if (organization == nullptr) return make_error(error_code::not_found);
    auto wanted = parse_careers_query(input.request.query);
    auto const found = find_careers_jobs(*organization, wanted, input.now);
    view const of{*organization, wanted, found, requested_reader(input.request.header("Accept-Language")),
                  "/careers/" + organization->slug};

    page shown;
    shown.language = of.to.in.language;
    shown.title = std::string(of.to.in.positions) + " · " + organization->name;
    show_owner(shown, *organization);
    shown.home = organization->website_url.value_or(of.address);
    shown.script = careers_script_address();
    shown.head = head_of(of, input.public_url, shown.title);
    auto const count = describe_job_count(static_cast<std::int64_t>(found.counts.matching), of.to);
    html_writer html(shown.main);
    html.element("h1", of.to.in.positions);
    write_introduction(html, of);
    write_form(html, of);
    html.element("p", {{"id", "count"}, {"class", "count"}, {"role", "status"}}, count);
    html.open("div", {{"id", "results"}, {"tabindex", "-1"}});
    write_jobs(html, of);
    write_pages(html, of);
    html.close();
    return page_answer(shown);
}

} // namespace recruiting::public_api
