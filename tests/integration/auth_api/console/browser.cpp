#include "integration/auth_api/console/browser.hpp"

#include "auth/session.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace recruiting::test {
namespace {

std::string make_pages() {
    auto const folder = std::filesystem::temp_directory_path() / ("recruiting-console-" + new_slug());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "index.html") << "<!doctype html><title>Console</title>";
    std::ofstream(folder / "app.0123456789abcdef.js") << "export {};";
    return folder.string();
}

boost::json::value parse_body(http_answer const& answer) {
    boost::system::error_code error;
    auto value = boost::json::parse(answer.body, error);
    return error ? boost::json::value() : value;
}

} // namespace

console_system::console_system(std::function<void(auth_api::settings&)> const& adjust, bool workers)
    : folder(make_pages()), service(database.auth_url(), workers, [&](auth_api::settings& config) {
          config.console.folder = folder;
          config.console.link_interval = std::chrono::milliseconds{20};
          if (adjust) adjust(config);
      }) {}

console_system::~console_system() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

std::string console_system::email(std::string_view name) const { return std::string(name) + "@" + slug + ".example"; }

std::string console_system::link(std::string const& address) {
    auto const token = auth::new_session_secret();
    auto const made = database.owner().run(
        "INSERT INTO recruiting.sign_in_tokens (hash, user_id, email_key, expires_at) "
        "SELECT $1, id, email_key, now() + interval '15 minutes' FROM recruiting.users WHERE email_key = $2",
        pg::params().bytes(bytes_of(auth::hash_sign_in_token(token))).text(address));
    if (made.affected() != 1) throw std::runtime_error("nobody has the address " + address);
    return token;
}

std::string console_system::value(std::string const& sql) {
    auto const found = database.owner().run("SELECT (" + sql + ")::text");
    return std::string(found.text(0, 0));
}

http_answer console_browser::send_bare(std::string const& method, std::string const& path, std::string const& lines,
                                       std::string const& body) const {
    auto const type = body.empty() ? std::string() : "Content-Type: application/json\r\n";
    return at_.service.send(method + " " + path + " HTTP/1.1\r\nHost: test\r\nContent-Length: " +
                            std::to_string(body.size()) + "\r\n" + type + lines + "\r\n" + body);
}

http_answer console_browser::send(std::string const& method, std::string const& path, std::string const& body,
                                  std::string const& lines) {
    auto own = lines;
    if (!cookie.empty()) own += "Cookie: " + cookie + "\r\n";
    if (method != "GET") own += "Sec-Fetch-Site: same-origin\r\n";
    if (method != "GET" && !csrf.empty()) own += "X-CSRF-Token: " + csrf + "\r\n";
    auto answer = send_bare(method, "/console/api" + path, own, body);
    keep_cookie(answer);
    return answer;
}

void console_browser::keep_cookie(http_answer const& answer) {
    auto const set = answer.header("set-cookie");
    if (set.empty()) return;
    cookie = set.substr(0, set.find(';'));
    if (cookie.ends_with('=')) cookie.clear();
}

http_answer console_browser::use_link(std::string const& token) {
    auto answer = send("POST", "/session", R"({"token":")" + token + R"("})");
    if (answer.status == 201) csrf = parse_body(answer).at("data").at("csrfToken").as_string().c_str();
    return answer;
}

http_answer console_browser::sign_in(std::string const& email) { return use_link(at_.link(email)); }

std::string console_browser::session_field(std::string const& name) {
    auto const body = parse_body(send("GET", "/session"));
    auto const& value = body.at("data").at(name);
    return value.is_string() ? std::string(value.as_string()) : boost::json::serialize(value);
}

std::string error_of(http_answer const& answer) {
    auto const body = parse_body(answer);
    auto const* const object = body.if_object();
    auto const* const error = object == nullptr ? nullptr : object->if_contains("error");
    return error == nullptr ? std::string() : std::string(error->at("code").as_string());
}

} // namespace recruiting::test
