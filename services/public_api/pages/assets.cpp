#include "public_api/pages/assets.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "http/json_writer.hpp"
#include "public_api/http/answer.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view javascript = "text/javascript; charset=utf-8";

// A script of its own, whose names no other script sees.
std::string closed(std::string_view begin, std::string_view modules) {
    return std::string("'use strict';\n(() => {\n").append(begin).append(modules).append("})();\n");
}

struct asset {
    asset(std::string_view path, std::string_view media_type, std::string body)
        : type(media_type), text(std::make_shared<std::string const>(std::move(body))),
          version("v=" + to_base64url(bytes_of(sha256(*text)).substr(0, 9))),
          address(std::string(path) + '?' + version) {}
    std::string_view type;
    std::shared_ptr<std::string const> text;
    std::string version; // the query that names this text
    std::string address;
};

asset const& style() {
    static asset const made("/careers/style.css", "text/css; charset=utf-8",
                            std::string(shared_style()).append(page_style()));
    return made;
}

asset const& careers_script() {
    static asset const made("/careers/list.js", javascript, closed({}, careers_modules()));
    return made;
}

asset const& interview_script() {
    static asset const made("/interviews/times.js", javascript, closed({}, interview_modules()));
    return made;
}

http::response asset_answer(action_input const& input, asset const& shown) {
    http::response answer;
    answer.content_type = shown.type;
    if (input.request.query == shown.version) answer.add("Cache-Control", "public, max-age=31536000, immutable");
    answer.shared_body = shown.text;
    return answer;
}

std::string make_widget() {
    std::string given = "const texts = {";
    for (auto const& in : all_words())
        given.append(in.language).append(":").append(words_as_json(in, script_words_names)).append(",\n");
    given.append("};\nconst css = `").append(shared_style()).append(widget_style()).append("`;\n");
    return closed(given, widget_modules());
}

} // namespace

std::string words_as_json(words const& in, std::span<named_script_word const> which) {
    std::string out;
    http::json_writer json(out);
    json.open_object();
    for (auto const& [name, text] : which) json.field(name, in.script.*text);
    json.close_object();
    return out;
}

std::string const& style_address() { return style().address; }
std::string const& careers_script_address() { return careers_script().address; }
std::string const& interview_script_address() { return interview_script().address; }

result<plan> get_style(action_input const& input) { return asset_answer(input, style()); }
result<plan> get_careers_script(action_input const& input) { return asset_answer(input, careers_script()); }
result<plan> get_interview_script(action_input const& input) { return asset_answer(input, interview_script()); }

std::shared_ptr<std::string const> const& widget_script() {
    static auto const made = std::make_shared<std::string const>(make_widget());
    return made;
}

result<plan> get_widget(action_input const&) {
    static std::string const etag = etag_of(*widget_script());
    http::response answer;
    answer.content_type = javascript;
    answer.shared_body = widget_script();
    answer.add("ETag", etag);
    // Long enough that visitors of a site do not ask at each page, short enough that a repaired widget gets around.
    answer.add("Cache-Control", "public, max-age=3600, stale-while-revalidate=86400");
    answer.add("Cross-Origin-Resource-Policy", "cross-origin"); // for pages that require it of all they embed
    return answer;
}

} // namespace recruiting::public_api
