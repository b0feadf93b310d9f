#include "public_api/pages/error_page.hpp"

#include "http/problem.hpp"
#include "public_api/pages/html_writer.hpp"
#include "public_api/pages/page.hpp"
#include "words/words.hpp"

namespace recruiting::public_api {
namespace {

struct sentence {
    std::string_view title;
    std::string_view text;
};

sentence sentence_for(unsigned status, words const& in) {
    if (status == 404) return {in.not_found, in.not_found_text};
    if (status == 429 || status >= 500) return {in.unavailable, in.unavailable_text};
    return {in.refused, in.refused_text};
}

} // namespace

http::response refusal(api_error const& error, http::request const& req, std::string_view request_id) {
    auto const accept = req.header("Accept");
    auto envelope = http::problem_response(error, request_id, accept);
    if (req.path.starts_with("/api/") || !http::accepts(accept, "text/html")) return envelope;

    auto const& in = words_asked_for(req.header("Accept-Language"));
    auto const [title, text] = sentence_for(envelope.status, in);
    page shown;
    shown.language = in.language;
    shown.title = title;
    shown.is_private = true; // nothing of an address that may hold a link's secret
    html_writer html(shown.main);
    html.element("h1", title).element("p", text);
    html.open("p", {{"class", "soft"}}).text(in.request).text(" ").element("code", request_id).close();
    auto answer = page_answer(shown, envelope.status);
    for (auto& field : envelope.headers) answer.headers.push_back(std::move(field));
    return answer;
}

} // namespace recruiting::public_api
