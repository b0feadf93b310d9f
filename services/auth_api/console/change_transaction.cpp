#include "auth_api/console/change_transaction.hpp"

#include "auth/authenticate_store.hpp"
#include "auth_api/console/session_store.hpp"
#include "auth_api/settings.hpp"
#include "core/log.hpp"

namespace recruiting::auth_api::console {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds connect_timeout{3};
constexpr std::string_view not_permitted = "42501";

constexpr char const* outdated_server = "another server was seen on a later timeline: this one was replaced";

pg::client_options client_options_of(change_pool_settings const& how, settings const& config,
                                     steady_clock::time_point deadline) {
    auto const milliseconds = [](std::chrono::milliseconds duration) { return std::to_string(duration.count()); };
    pg::client_options out;
    out.application_name = "recruiting-auth-api console";
    out.connect_timeout = connect_timeout;
    out.deadline = deadline;
    out.servers = config.servers;
    out.options = "-c statement_timeout=" + milliseconds(how.statement_timeout) +
                  " -c lock_timeout=" + milliseconds(how.lock_timeout) +
                  " -c idle_in_transaction_session_timeout=" + milliseconds(how.change_timeout);
    return out;
}

// Row-level security had the last word: the role changed after the function had checked it.
api_error role_changed() {
    auto error = make_error(error_code::insufficient_role);
    error.message = "The member's role does not allow this any more.";
    return error;
}

change_outcome failed(api_error error, std::shared_ptr<auth::principal const> member) {
    return {std::move(member), std::move(error), {}};
}

api_error error_of(pg::query_error const& error, std::string_view request_id) {
    if (error.is_passing()) throw outage("SQLSTATE " + error.sqlstate());
    // Its message can quote values.
    log::error("change_failed", {{"requestId", request_id}, {"sqlstate", error.sqlstate()}});
    return error.sqlstate() == not_permitted ? role_changed() : make_error(error_code::internal_error);
}

} // namespace

directory::actor actor_of(change_input const& in) {
    directory::actor by;
    by.type = "member";
    by.member_id = in.member.member_id;
    by.email = in.member.member_email;
    by.role = to_string(in.member.role);
    by.request_id = in.request_id;
    return by;
}

result<uuid> id_in_path(change_input const& in) {
    if (auto const id = parse_id(in.path[0])) return *id;
    return make_error(error_code::not_found);
}

result<void> refuse_query(change_input& in) {
    in.query.refuse_unknown();
    if (!in.query.ok()) return invalid_request(in.query.take_problems());
    return {};
}

change_outcome change_connection::perform(change_request const& what) {
    progress made;
    try {
        return execute(what, made);
    } catch (pg::connection_lost const& error) {
        drop();
        if (!made.committing) throw;
        log::warning("change_outcome_unknown", {{"requestId", what.request_id}, {"message", error.what()}});
        return failed(make_error(error_code::outcome_unknown), made.member);
    } catch (pg::query_error const& error) {
        if (!made.member) throw outage("SQLSTATE " + error.sqlstate()); // no session was read: nothing is known of it
        return failed(error_of(error, what.request_id), made.member);
    } catch (outage const&) {
        throw;
    } catch (std::exception const& error) {
        drop();
        log::error("change_failed", {{"requestId", what.request_id}, {"message", error.what()}});
        return failed(make_error(error_code::internal_error), made.member);
    }
}

change_outcome change_connection::execute(change_request const& what, progress& made) {
    std::optional<pg::enclosing_transaction> transaction;
    begin(transaction, what);
    auto found = auth::read_principal(transaction->prologue().front(), auth::principal_kind::member);
    if (!found) return failed(make_error(error_code::invalid_credential), nullptr);
    auto const member = std::make_shared<auth::principal const>(std::move(*found));
    made.member = member;
    if (auto refused = auth::authorize(*member, what.facts, {})) return failed(*refused, member);

    http::query_reader query(what.query);
    change_input in{*client_, *member,        member->session->organization_slug, what.path, query, what.body,
                    config_,  what.request_id};
    auto answer = what.function(in);
    if (!answer) return failed(answer.error(), member);
    made.committing = true;
    transaction->commit();
    if (client_->superseded()) throw pg::connection_lost(outdated_server);
    return {member, std::nullopt, std::move(*answer)};
}

// A connection that was lost while nobody used it is noticed here, and nothing was sent on it before.
void change_connection::begin(std::optional<pg::enclosing_transaction>& transaction, change_request const& what) {
    auto const prologue = begin_change(what.session_hash);
    auto const deadline = steady_clock::now() + how_.change_timeout;
    if (client_ && client_->superseded()) drop();
    if (client_) {
        try {
            client_->set_deadline(deadline);
            transaction.emplace(*client_, prologue);
            return;
        } catch (pg::connection_lost const&) {
            drop();
        }
    }
    client_.emplace(how_.database_url, client_options_of(how_, config_, deadline));
    transaction.emplace(*client_, prologue);
}

} // namespace recruiting::auth_api::console
