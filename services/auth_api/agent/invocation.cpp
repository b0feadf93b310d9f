#include "auth_api/agent/invocation.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "http/query.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_key = 255;
constexpr std::size_t longest_title = 80; // characters

using problems = std::vector<error_detail>;

bool is_json(std::string_view content_type) {
    return iequals(trim(content_type.substr(0, content_type.find(';'))), "application/json");
}

bool is_printable_ascii(char c) { return c >= 0x20 && c <= 0x7E; }

// RFC 8941 section 3.3.3: only \" and \\ are escapes.
std::optional<std::string> read_quoted(std::string_view field) {
    std::string key;
    for (std::size_t i = 1; i < field.size(); ++i) {
        char const c = field[i];
        if (c == '"') return i + 1 == field.size() ? std::optional(key) : std::nullopt;
        if (c != '\\') {
            key += c;
            continue;
        }
        if (++i == field.size() || (field[i] != '"' && field[i] != '\\')) return std::nullopt;
        key += field[i];
    }
    return std::nullopt;
}

std::int64_t characters(std::string_view text) {
    return std::count_if(text.begin(), text.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
}

void read_query(http::request const& req, problems& found) {
    http::query_reader query(req.query);
    query.refuse_unknown();
    for (auto& problem : query.take_problems()) found.push_back(std::move(problem));
}

void read_key(http::request const& req, invocation& wanted, problems& found) {
    auto const fields = req.header_count("Idempotency-Key");
    if (fields == 0) return;
    if (fields == 1) wanted.key = read_idempotency_key(req.header("Idempotency-Key"));
    if (wanted.key) return;
    found.push_back({"header", "Idempotency-Key", fields > 1 ? "repeated" : "invalid",
                     "Must be one field of 1 to 255 printable ASCII characters."});
}

void read_prompt(json::value const& given, std::int64_t most, invocation& wanted, problems& found) {
    auto const refuse = [&](std::string reason, std::string message) {
        found.push_back({"body", "prompt", std::move(reason), std::move(message)});
    };
    auto const* const text = given.if_string();
    if (text == nullptr) return refuse("wrong_type", "Must be a string.");
    std::string_view const prompt(text->data(), text->size());
    if (prompt.find('\0') != std::string_view::npos) return refuse("invalid", "Must not hold the character U+0000.");
    if (session_title(prompt).empty()) return refuse("too_short", "Must say something.");
    if (characters(prompt) > most)
        return refuse("too_long", "Must be at most " + std::to_string(most) + " characters long.");
    wanted.prompt_hash = sha256(prompt);
    wanted.prompt = redact_secrets(std::string(prompt));
}

void read_session_id(json::value const& given, invocation& wanted, problems& found) {
    if (given.is_null()) return;
    auto const* const text = given.if_string();
    if (text != nullptr) wanted.session_id = parse_id({text->data(), text->size()});
    if (!wanted.session_id) found.push_back({"body", "sessionId", "invalid", "Must be the id of a session."});
}

void read_fields(json::object const& body, std::int64_t most, invocation& wanted, problems& found) {
    bool prompt_given = false;
    for (auto const& field : body) {
        std::string_view const name(field.key().data(), field.key().size());
        if (name == "prompt") {
            prompt_given = true;
            read_prompt(field.value(), most, wanted, found);
        } else if (name == "sessionId") {
            read_session_id(field.value(), wanted, found);
        } else {
            found.push_back({"body", printable(name, 100), "unknown", "There is no such field here."});
        }
    }
    if (!prompt_given) found.push_back({"body", "prompt", "missing", "Must be given."});
}

void read_body(std::string_view text, std::int64_t most, invocation& wanted, problems& found) {
    boost::system::error_code error;
    auto const body = json::parse({text.data(), text.size()}, error);
    if (error) found.push_back({"body", "", "malformed_json", "Must be JSON: " + error.message() + "."});
    else if (!body.is_object()) found.push_back({"body", "", "wrong_type", "Must be a JSON object."});
    else read_fields(body.get_object(), most, wanted, found);
}

} // namespace

std::optional<std::string> read_idempotency_key(std::string_view field) {
    field = trim(field);
    if (!std::all_of(field.begin(), field.end(), is_printable_ascii)) return std::nullopt;
    auto key = field.starts_with('"') ? read_quoted(field) : std::optional(std::string(field));
    if (!key || key->empty() || key->size() > longest_key) return std::nullopt;
    return key;
}

std::string session_title(std::string_view prompt) {
    std::string title;
    bool gap = false;
    std::size_t count = 0;
    for (char const c : prompt) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7F) {
            gap = !title.empty();
            continue;
        }
        bool const starts = (byte & 0xC0U) != 0x80;
        if (starts && count + (gap ? 1 : 0) >= longest_title) return title + "…";
        if (gap) title += ' ';
        count += (starts ? 1U : 0U) + (gap ? 1U : 0U);
        gap = false;
        title += c;
    }
    return title;
}

result<invocation> read_invocation(http::request const& req, std::int64_t most_characters) {
    if (!is_json(req.header("Content-Type"))) {
        auto refused = make_error(error_code::unsupported_media_type);
        refused.message = "The request's body must be application/json.";
        return refused;
    }
    invocation wanted;
    problems found;
    read_query(req, found);
    read_key(req, wanted, found);
    read_body(req.body, most_characters, wanted, found);
    // Specification: Agent invoke rules, 3. The key belongs to the first invocation of a session.
    if (req.header_count("Idempotency-Key") > 0 && wanted.session_id)
        found.push_back({"header", "Idempotency-Key", "not_with_session_id",
                         "Must not be combined with sessionId: the key is for the first invocation of a session."});
    if (!found.empty()) return invalid_request(std::move(found));
    return wanted;
}

} // namespace recruiting::auth_api::agent
