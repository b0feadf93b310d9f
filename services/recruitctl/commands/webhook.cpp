// webhook create, list, pause, resume, test, rotate, delete, deliveries. A secret is printed once.
#include "directory/webhooks.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/webhook_listen.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

using directory::webhook_change;

directory::receiver_rules rules_of(invocation const& call) {
    directory::receiver_rules rules;
    settings_reader reader("recruitctl", "", "RECRUITING_WEBHOOK_");
    declare(reader, rules);
    std::map<std::string, std::string> given;
    for (auto const* const name :
         {"RECRUITING_WEBHOOK_HTTP", "RECRUITING_WEBHOOK_PORTS", "RECRUITING_WEBHOOK_NETWORKS"})
        if (auto value = call.setting(name)) given.emplace(name, std::move(*value));
    static_cast<void>(reader.apply(given)); // checked when the program began
    return rules;
}

boost::json::object to_json(directory::webhook const& w) {
    return {{"id", to_string(w.id)},
            {"url", w.url},
            {"description", json_text(w.description)},
            {"resources", json_list(w.resources)},
            {"status", w.status},
            {"failingSince", json_time(w.failing_since)},
            {"nextAttemptAt", json_time(w.next_attempt_at)},
            {"waitingMessages", w.waiting_messages},
            {"previousSecretExpiresAt", json_time(w.previous_secret_expires_at)},
            {"createdAt", format_time(w.created_at)},
            {"updatedAt", format_time(w.updated_at)}};
}

boost::json::object to_json(directory::webhook_delivery const& d) {
    return {{"id", to_string(d.id)},
            {"messageId", d.message_id},
            {"type", d.type},
            {"attemptedAt", format_time(d.attempted_at)},
            {"statusCode", d.status_code ? boost::json::value(*d.status_code) : boost::json::value(nullptr)},
            {"failure", json_text(d.failure)},
            {"durationMs", d.duration_ms},
            {"excerpt", d.excerpt}};
}

int print_webhook(invocation& call, directory::webhook const& w, std::optional<std::string> const& secret = {}) {
    if (call.json()) {
        auto document = to_json(w);
        if (secret) document["secret"] = *secret;
        print_json(call.out, document);
        return done;
    }
    table_rows rows{{"webhook ID", to_string(w.id)},
                    {"url", w.url},
                    {"description", shown(w.description)},
                    {"resources", joined(w.resources)},
                    {"status", w.status},
                    {"waiting messages", std::to_string(w.waiting_messages)}};
    if (secret) rows.insert(rows.begin(), {"secret", *secret});
    print_table(call.out, rows);
    if (secret) call.err << "Keep the secret now: it is shown only this once and can't be recovered.\n";
    return done;
}

uuid id_of(invocation const& call) { return call.find_id("--id").value(); }

int create(invocation& call) {
    directory::new_webhook const wanted{call.get("--url"), call.find("--description"), call.list("--resource")};
    auto const made =
        or_fail(directory::create_webhook(call.database(), call.get("--organization"), wanted, rules_of(call)));
    return print_webhook(call, made.made, made.secret);
}

int list(invocation& call) {
    auto const webhooks = or_fail(directory::list_webhooks(call.database(), call.get("--organization")));
    auto const cells = [](directory::webhook const& w) -> std::vector<std::string> {
        return {w.url,
                w.status,
                joined(w.resources),
                shown_time(w.failing_since),
                std::to_string(w.waiting_messages),
                to_string(w.id)};
    };
    return print_list(
        call, {"url", "status", "resources", "failing since", "waiting", "webhook ID"}, webhooks,
        [](auto const& w) { return to_json(w); }, cells);
}

template <webhook_change What>
int change(invocation& call) {
    return print_webhook(
        call, or_fail(directory::change_webhook(call.database(), call.get("--organization"), id_of(call), What)));
}

int rotate(invocation& call) {
    auto const made =
        or_fail(directory::rotate_webhook_secret(call.database(), call.get("--organization"), id_of(call)));
    return print_webhook(call, made.made, made.secret);
}

int deliveries(invocation& call) {
    auto const made =
        or_fail(directory::list_webhook_deliveries(call.database(), call.get("--organization"), id_of(call)));
    auto const cells = [](directory::webhook_delivery const& d) -> std::vector<std::string> {
        auto const answered = d.status_code ? std::to_string(*d.status_code) : shown(d.failure);
        return {format_time(d.attempted_at), d.type, answered, std::to_string(d.duration_ms) + " ms", d.excerpt};
    };
    return print_list(
        call, {"attempted", "type", "answer", "took", "begins with"}, made, [](auto const& d) { return to_json(d); },
        cells);
}

} // namespace

std::vector<command> webhook_commands() {
    option const organization{"--organization", "SLUG", "organization slug", true};
    option const id{"--id", "ID", "webhook ID", true};
    option const resource{"--resource", "RESOURCE",
                          "jobs, candidates, members, pipeline, interviews, agent_runs, audit", true, true};
    return {
        {"webhook create",
         "Create a webhook and print its secret. The secret is not shown again.",
         {organization,
          {"--url", "URL", "the receiver, https://…", true},
          resource,
          {"--description", "TEXT", "1 to 200 characters"}},
         create},
        {"webhook list", "List the webhooks, newest first.", {organization}, list},
        {"webhook pause", "Send nothing until it is resumed.", {organization, id}, change<webhook_change::pause>},
        {"webhook resume",
         "Send again, first of all what changed meanwhile.",
         {organization, id},
         change<webhook_change::resume>},
        {"webhook test", "Send a message of the type webhook.test.", {organization, id}, change<webhook_change::test>},
        {"webhook rotate",
         "Print a new secret; the previous one is valid for 24 hours more.",
         {organization, id},
         rotate},
        {"webhook delete",
         "Delete a webhook. Nothing is sent to it again.",
         {organization, id},
         change<webhook_change::remove>},
        {"webhook deliveries", "List the last 30 deliveries, newest first.", {organization, id}, deliveries},
        {"webhook listen",
         "Print messages as a webhook would get them, and forward them to a receiver in development.",
         {{"--url", "URL", "the gateway, such as https://jobs.example.com", true},
          {"--key-file", "FILE", "file with an API key that may read the resources", true},
          resource,
          {"--forward", "URL", "where each message is posted, signed: http://127.0.0.1:3000/hooks"},
          {"--for", "DURATION", "how long, such as 10m (until it is stopped)"}},
         listen_for_changes,
         "It needs no webhook and no public address: it asks the API every 2 seconds what is newest."},
    };
}

} // namespace recruiting::recruitctl
