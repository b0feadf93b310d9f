#include "directory/webhooks.hpp"
#include "auth_api/console/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "auth_api/settings.hpp"
#include "directory/rules.hpp"

namespace recruiting::auth_api::console {
namespace {

using directory::webhook_change;

void write_webhook(http::json_writer& json, directory::webhook const& w) {
    json.open_object().field("id", w.id).field("url", w.url).field("description", w.description);
    write_texts(json, "resources", w.resources);
    json.field("status", w.status)
        .field("failingSince", w.failing_since)
        .field("nextAttemptAt", w.next_attempt_at)
        .field("waitingMessages", w.waiting_messages)
        .field("previousSecretExpiresAt", w.previous_secret_expires_at)
        .field("createdAt", w.created_at)
        .field("updatedAt", w.updated_at)
        .close_object();
}

void write_delivery(http::json_writer& json, directory::webhook_delivery const& d) {
    json.open_object()
        .field("id", d.id)
        .field("messageId", d.message_id)
        .field("type", d.type)
        .field("attemptedAt", d.attempted_at)
        .field("statusCode", d.status_code)
        .field("failure", d.failure)
        .field("durationMs", d.duration_ms)
        .field("excerpt", d.excerpt)
        .close_object();
}

// The admin's role comes before everything of the request.
result<void> admit(change_input& in) {
    if (auto refused = directory::refuse_unless_admin(actor_of(in))) return *refused;
    return finish_query(in);
}
result<uuid> admitted_webhook(change_input& in) {
    if (auto const admitted = admit(in); !admitted) return admitted.error();
    return path_id(in);
}

// That there is no such webhook here is the 404 of every unknown id.
api_error error_of(api_error error) {
    return error.code == error_code::not_found ? make_error(error_code::not_found) : std::move(error);
}
result<http::response> answer_of(result<directory::webhook> const& changed, unsigned status = 200) {
    if (!changed) return error_of(changed.error());
    return data_answer([&](http::json_writer& json) { write_webhook(json, *changed); }, status);
}
result<http::response> answer_of(result<directory::created_webhook> const& made) {
    if (!made) return error_of(made.error());
    auto const write = [&](http::json_writer& json) {
        json.open_object().key("webhook");
        write_webhook(json, made->made);
        json.field("secret", made->secret).close_object();
    };
    return data_answer(write, 201);
}

// results: the webhooks the caller may see, or the one whose deliveries are asked for, and those.
template <class Read, class Write>
result<void> render_all(pg::rows const& rows, http::response& answer, Read const& read, Write const& write) {
    http::json_writer json(answer.body);
    json.open_object().key("data").open_array();
    for (auto const row : rows) write(json, read(row));
    json.close_array().close_object();
    return {};
}
result<void> render_webhooks(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    if (context.principal.role != role::admin) return directory::role_needed({role::admin});
    return render_all(results[0], answer, directory::read_webhook, write_webhook);
}
result<void> render_deliveries(std::span<pg::rows const> results, render_context const& context,
                               http::response& answer) {
    if (context.principal.role != role::admin) return directory::role_needed({role::admin});
    if (results[0].empty()) return make_error(error_code::not_found);
    return render_all(results[1], answer, directory::read_webhook_delivery, write_delivery);
}

} // namespace

result<prepared_read> list_webhooks(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{directory::select_webhooks()}, render_webhooks};
}

result<http::response> create_webhook(change_input& in) {
    if (auto const admitted = admit(in); !admitted) return admitted.error();
    http::json_fields fields(in.body);
    using presence = http::json_fields::presence;
    auto url = fields.text("url", presence::required);
    auto resources = fields.texts("resources", presence::required, http::json_fields::most_fields);
    directory::new_webhook wanted{.url = {}, .description = fields.text("description"), .resources = {}};
    fields.refuse_others({"url", "description", "resources"});
    if (!fields.ok()) return fields.error();
    wanted.url = std::move(*url);
    wanted.resources = std::move(*resources);
    return answer_of(directory::create_webhook(in.database, in.organization_slug, wanted, in.config.webhooks.receivers,
                                               actor_of(in)));
}

result<http::response> change_webhook(change_input& in) {
    auto const id = admitted_webhook(in);
    if (!id) return id.error();
    http::json_fields fields(in.body);
    auto const status = fields.text("status", http::json_fields::presence::required);
    fields.refuse_others({"status"});
    bool const resumes = status == "active";
    if (status && !resumes && status != "paused") fields.problem("status", "not_allowed", "Must be active or paused.");
    if (!fields.ok()) return fields.error();
    auto const what = resumes ? webhook_change::resume : webhook_change::pause;
    return answer_of(directory::change_webhook(in.database, in.organization_slug, *id, what, actor_of(in)));
}

result<http::response> remove_webhook(change_input& in) {
    auto const id = admitted_webhook(in);
    if (!id) return id.error();
    return answer_of(
        directory::change_webhook(in.database, in.organization_slug, *id, webhook_change::remove, actor_of(in)));
}

result<http::response> rotate_webhook_secret(change_input& in) {
    auto const id = admitted_webhook(in);
    if (!id) return id.error();
    return answer_of(directory::rotate_webhook_secret(in.database, in.organization_slug, *id, actor_of(in)));
}

result<http::response> test_webhook(change_input& in) {
    auto const id = admitted_webhook(in);
    if (!id) return id.error();
    return answer_of(
        directory::change_webhook(in.database, in.organization_slug, *id, webhook_change::test, actor_of(in)), 202);
}

result<prepared_read> list_webhook_deliveries(bind_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{directory::select_webhook(*id), directory::select_webhook_deliveries(*id)},
                         render_deliveries};
}

result<http::response> resend_webhook_delivery(change_input& in) {
    auto const id = admitted_webhook(in);
    if (!id) return id.error();
    http::json_fields fields(in.body);
    auto const delivery = fields.id("deliveryId");
    fields.refuse_others({"deliveryId"});
    if (!fields.ok()) return fields.error();
    return answer_of(
        directory::resend_webhook_delivery(in.database, in.organization_slug, *id, *delivery, actor_of(in)), 202);
}

} // namespace recruiting::auth_api::console
