// An interviewer's link to decline one interview.
#include "http/query.hpp"
#include "public_api/booking/interview_page.hpp"
#include "public_api/booking/schedule.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view repeated_notice = "repeated"; // a value of ?notice

std::string_view decline_heading(std::string_view state, words const& in) {
    if (state == "declined") return in.decline.declined;
    if (state == "moved") return in.decline.moved;
    if (state == "canceled") return in.interview.canceled;
    return state == "begun" ? in.interview.begun : in.decline.question;
}

std::string_view decline_text(std::string_view state, decline_words const& in) {
    if (state == "declined") return in.declined_text;
    if (state == "moved") return in.moved_text;
    if (state == "canceled") return in.canceled;
    return state == "begun" ? in.begun : in.effect;
}

void write_decline_facts(html_writer& html, presented_decline const& shown, words const& in) {
    auto const& say = in.interview;
    html.open("dl", {{"class", "facts"}});
    write_interview_time(html, say.when, shown.starts_at, shown.interview.time_zone, in);
    write_interview_fact(html, say.duration, describe_length(shown.ends_at - shown.starts_at, in));
    write_interview_fact(html, say.job, shown.interview.job_title);
    write_interview_fact(html, say.stage, shown.interview.stage_name);
    html.close();
}

http::response back_to_decline_page(std::string_view token, bool is_repeated) {
    auto const notice = is_repeated ? "?notice=" + std::string(repeated_notice) : std::string();
    return private_redirect(303, "/interviews/" + std::string(token) + "/decline" + notice);
}

} // namespace

http::response decline_page(presented_decline const& shown, std::string_view token, bool is_repeated, words const& in) {
    auto const heading = decline_heading(shown.state, in);
    auto frame = interview_frame(shown.interview, in, std::string(heading));
    html_writer html(frame.main);
    html.element("h1", heading);
    if (is_repeated && shown.state == "declined")
        html.element("p", {{"class", "notice"}, {"role", "status"}}, in.decline.repeated);
    html.element("p", decline_text(shown.state, in.decline));
    write_decline_facts(html, shown, in);
    if (shown.state == "open") {
        html.open("form", {{"method", "post"}, {"action", "/interviews/" + std::string(token) + "/decline"}});
        html.element("button", {{"type", "submit"}, {"class", "danger"}}, in.decline.confirm).close();
    }
    return page_answer(frame);
}

result<plan> show_decline(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    bool const is_repeated = http::query_reader(input.request.query).text("notice") == repeated_notice;
    auto const render = [input, is_repeated](auto const& results) -> result<http::response> {
        auto const shown = read_presented_decline(results.at(1));
        if (!shown) return dead_link(input);
        return decline_page(*shown, input.params[0], is_repeated,
                            requested_words(input.request.header("Accept-Language")));
    };
    return database_query{{present_link(*link, input.request_id), select_presented_decline()}, render};
}

result<plan> decline(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    auto const render = [input](auto const& results) -> result<http::response> {
        auto const shown = read_presented_decline(results.at(2));
        if (!shown) return dead_link(input);
        return back_to_decline_page(input.params[0], shown->state == "declined" && !read_declined(results.at(1)));
    };
    return database_query{{present_link(*link, input.request_id), decline_interview(), select_presented_decline()},
                          render};
}

} // namespace recruiting::public_api
