#include "directory/webhook_message.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "http/json_writer.hpp"
#include "mail/encodings.hpp"

#include <algorithm>
#include <iterator>

namespace recruiting::directory {
namespace {

// Where the receiver reads what has changed, with its own API key. It appends the syncToken of its last sync.
std::string path_of(webhook_message const& what, std::string_view resource) {
    if (resource == "agent_runs") return "/agent/sessions/" + to_string(what.subject.value());
    if (resource == "pipeline" && what.subject) return "/pipeline?jobId=" + to_string(*what.subject);
    if (resource == "audit") {
        std::string since;
        append_time(since, what.since.value());
        return "/audit?occurredAfter=" + percent_encode(since) + "&order=asc";
    }
    if (resource == "test") return "/organization";
    if (resource == "interviews") resource = "candidates"; // an application shows its next interview
    if (resource == "pipeline") resource = "jobs";
    return "/" + std::string(resource) + "?syncToken=";
}

constexpr std::string_view resources[] = {"jobs",       "candidates", "members", "pipeline",
                                          "interviews", "agent_runs", "audit"};

} // namespace

bool is_webhook_resource(std::string_view name) noexcept {
    return std::ranges::find(resources, name) != std::end(resources);
}

std::string webhook_secret_text(std::string_view bytes) { return "whsec_" + mail::to_base64(bytes); }

std::string name_of(webhook_message const& what) { return "msg_" + to_string(what.id); }

std::string body_of(webhook_message const& what) {
    auto const kind = what.type.substr(0, what.type.find('.'));
    auto const resource = kind == "webhook" ? std::string("test") : kind;
    std::string out;
    http::json_writer json(out);
    json.open_object().field("type", what.type).field("timestamp", what.created_at).key("data").open_object();
    json.field("organizationId", what.organization_id).field("resource", resource);
    if (what.subject) json.field(resource == "pipeline" ? "jobId" : "sessionId", *what.subject);
    if (what.run) json.field("correlationId", to_dashed_string(*what.run));
    json.field("fetch", "/api/v1" + path_of(what, resource)).close_object().close_object();
    return out;
}

std::vector<std::string> signed_headers(webhook_message const& what, timestamp now, std::string_view body,
                                        std::vector<std::string> const& secrets) {
    auto const at = std::to_string(std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count());
    auto const name = name_of(what);
    auto const content = name + "." + at + "." + std::string(body);
    std::string signatures;
    for (auto const& secret : secrets) {
        if (!signatures.empty()) signatures += ' ';
        signatures += "v1," + mail::to_base64(bytes_of(hmac_sha256(secret, content)));
    }
    return {"webhook-id: " + name, "webhook-timestamp: " + at, "webhook-signature: " + signatures};
}

} // namespace recruiting::directory
