#include "auth_api/console/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "auth_api/settings.hpp"
#include "directory/api_keys.hpp"
#include "directory/organizations.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api::console {
namespace {

using presence = http::json_fields::presence;

constexpr std::int64_t most_effects = 1'000;

void write_member(http::json_writer& json, directory::member const& m) {
    json.open_object()
        .field("id", m.id)
        .field("email", m.email)
        .field("name", m.name)
        .field("title", m.title)
        .field("role", to_string(m.held))
        .field("status", m.status)
        .field("createdAt", m.created_at)
        .field("updatedAt", m.updated_at)
        .field("deletedAt", m.removed_at)
        .close_object();
}

// What a caller of a path with an id may learn: that there is no such member here is the 404 of every unknown id.
api_error error_for_path(api_error error) {
    if (error.code == error_code::not_found) return make_error(error_code::not_found);
    for (auto& detail : error.details)
        if (detail.field == "email") {
            detail.location = "path";
            detail.field = "id";
        }
    return error;
}

result<http::response> answer_of(result<directory::member_change> const& changed, unsigned status = 200) {
    if (!changed) return error_for_path(changed.error());
    return data_answer([&](http::json_writer& json) { write_member(json, changed->now); }, status);
}

// The admin's role comes before everything of the request.
result<uuid> admitted_member(change_input& in) {
    if (auto refused = directory::refuse_unless_admin(actor_of(in))) return *refused;
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return *id;
}

std::optional<role> read_role(http::json_fields& fields, presence given = presence::required) {
    auto const written = fields.text("role", given);
    auto const read = written ? parse_role(*written) : std::nullopt;
    if (written && !read)
        fields.problem("role", "not_allowed", "Must be admin, recruiter, hiring_manager, interviewer or viewer.");
    return read;
}

result<directory::new_member> read_invitation(std::string_view body) {
    http::json_fields fields(body);
    auto email = fields.text("email", presence::required);
    auto name = fields.text("name", presence::required);
    auto const held = read_role(fields);
    auto title = fields.text("title");
    auto language = read_mail_language(fields);
    fields.refuse_others({"email", "name", "role", "title", "language"});
    if (!fields.ok()) return fields.error();
    return directory::new_member{std::move(*email), std::move(name), *held, std::move(title), std::move(language)};
}

struct wanted_change {
    std::optional<role> becomes; // nullopt: removed
};

result<wanted_change> read_wanted_change(bind_input& in) {
    auto const becomes = in.query.choice("role", {"admin", "recruiter", "hiring_manager", "interviewer", "viewer"});
    auto const removed = in.query.boolean("removed");
    if (in.query.ok() && becomes.has_value() == removed.value_or(false))
        in.query.problem("role", "missing", "Send either role or removed=true.");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return wanted_change{becomes ? parse_role(*becomes) : std::nullopt};
}

void write_effect(http::json_writer& json, directory::api_key const& key, wanted_change const& wanted, timestamp now) {
    auto const effect = directory::effect_of(key, wanted.becomes, now);
    json.open_object()
        .field("id", key.id)
        .field("name", key.name)
        .field("displayedPrefix", key.displayed_prefix)
        .field("state", directory::state_of(key, now))
        .field("stops", effect.stops);
    write_scopes(json, "scopesLost", effect.lost);
    write_scopes(json, "scopesGained", effect.gained);
    json.close_object();
}

result<void> render_effects(std::span<pg::rows const> results, render_context const& context,
                            wanted_change const& wanted, http::response& answer) {
    if (context.principal.role != role::admin) return directory::role_needed({role::admin});
    if (results[0].empty()) return make_error(error_code::not_found);
    auto const now = system_time().now();
    http::json_writer json(answer.body);
    json.open_object().key("data").open_array();
    for (int row = 0; row < results[1].size(); ++row)
        write_effect(json, directory::store::read_key(results[1][row]), wanted, now);
    json.close_array().close_object();
    return {};
}

directory::invitation_limits invitation_limits(change_input const& in) {
    return {in.config.console.invitations_per_organization, in.config.console.invitations_per_address};
}

} // namespace

result<http::response> invite_member(change_input& in) {
    auto const by = actor_of(in);
    if (auto refused = directory::refuse_unless_admin(by)) return *refused;
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const wanted = read_invitation(in.body);
    if (!wanted) return wanted.error();
    auto const invited =
        directory::invite_member(in.database, in.organization_slug, *wanted, by, invitation_limits(in));
    if (!invited) return invited.error();
    return data_answer([&](http::json_writer& json) { write_member(json, invited->now); }, 201);
}

result<http::response> change_member(change_input& in) {
    auto const id = admitted_member(in);
    if (!id) return id.error();
    http::json_fields fields(in.body);
    auto const held = read_role(fields, presence::optional);
    auto const name = fields.text("name", presence::optional);
    fields.refuse_others({"role", "name"});
    if (fields.ok() && held && name) fields.problem("name", "not_allowed", "Send either role or name.");
    if (fields.ok() && !held && !name) fields.problem("role", "missing", "Send either role or name.");
    if (!fields.ok()) return fields.error();
    if (name) return answer_of(directory::set_member_name(in.database, in.organization_slug, *id, *name, actor_of(in)));
    return answer_of(directory::set_member_role(in.database, in.organization_slug, *id, *held, actor_of(in)));
}

result<http::response> remove_member(change_input& in) {
    auto const id = admitted_member(in);
    if (!id) return id.error();
    return answer_of(directory::remove_member(in.database, in.organization_slug, *id, actor_of(in)));
}

result<http::response> restore_member(change_input& in) {
    auto const id = admitted_member(in);
    if (!id) return id.error();
    return answer_of(
        directory::restore_member(in.database, in.organization_slug, *id, actor_of(in), invitation_limits(in)));
}

result<http::response> renew_invitation(change_input& in) {
    auto const id = admitted_member(in);
    if (!id) return id.error();
    return answer_of(
        directory::renew_invitation(in.database, in.organization_slug, *id, actor_of(in), invitation_limits(in)), 202);
}

result<prepared_read> list_key_effects(bind_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    auto const wanted = read_wanted_change(in);
    if (!wanted) return wanted.error();
    auto const render = [wanted = *wanted](std::span<pg::rows const> results, render_context const& context,
                                           http::response& answer) {
        return render_effects(results, context, wanted, answer);
    };
    return prepared_read{
        {directory::store::member_in_reach(*id), directory::store::live_keys_of(*id, most_effects)}, render, nullptr};
}

} // namespace recruiting::auth_api::console
