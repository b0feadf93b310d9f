#include "auth_api/console/change_pool.hpp"

#include "auth/authenticate_store.hpp"
#include "auth_api/settings.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"
#include "pg/schema_store.hpp"
#include "pg/servers.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace recruiting::auth_api::console {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds connect_timeout{3};
constexpr std::string_view not_permitted = "42501";

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

// Before the connection is used: as pipelines do with each heartbeat.
void require_role(pg::client& connection, pg::schema_gate& gate) {
    auto const who = connection.run(gate.who());
    auto const version = connection.run(gate.version());
    if (!gate.admit(who, version)) throw pg::connection_lost(gate.fault());
}

// Row-level security had the last word: the role changed after the function had checked it.
api_error role_changed() {
    auto error = make_error(error_code::insufficient_role);
    error.message = "The member's role does not allow this any more.";
    return error;
}

// An organization has one change in progress, so that it can't keep every thread.
fair_queue_limits queue_limits_of(change_pool_settings const& how) {
    return {how.connections, 1, how.most_waiting_of_organization, how.most_waiting};
}

} // namespace

change_pool_settings pool_settings_of(settings const& config) {
    change_pool_settings out;
    out.database_url = config.database_url;
    out.connections = static_cast<unsigned>(config.console.change_threads);
    out.statement_timeout = config.statement_timeout;
    out.lock_timeout = std::min(out.lock_timeout, config.statement_timeout);
    out.change_timeout = config.statement_timeout + std::chrono::seconds{6};
    return out;
}

directory::actor actor_of(change_input const& in) {
    directory::actor by;
    by.type = "member";
    by.member_id = in.member.member_id;
    by.email = in.member.member_email;
    by.role = to_string(in.member.role);
    by.request_id = in.request_id;
    return by;
}

change_outcome change_connection::perform(change_request const& what) {
    progress made;
    try {
        return execute(what, made);
    } catch (pg::query_error const& error) {
        if (!made.member || error.is_passing()) return unavailable("SQLSTATE " + error.sqlstate());
        // Its message can quote values.
        log::error("change_failed", {{"requestId", what.request_id}, {"sqlstate", error.sqlstate()}});
        bool const is_refused = error.sqlstate() == not_permitted;
        return {made.member, is_refused ? role_changed() : make_error(error_code::internal_error)};
    } catch (outage const& error) {
        client_.reset();
        if (!made.committing) return unavailable(error.what());
        log::warning("change_outcome_unknown", {{"requestId", what.request_id}, {"message", error.what()}});
        return {made.member, make_error(error_code::outcome_unknown)};
    } catch (std::exception const& error) {
        client_.reset();
        log::error("change_failed", {{"requestId", what.request_id}, {"message", error.what()}});
        return {made.member, make_error(error_code::internal_error)};
    }
}

change_outcome change_connection::execute(change_request const& what, progress& made) {
    std::optional<pg::transaction> transaction;
    auto const session = begin(transaction, what.session);
    auto found = auth::read_principal(session, auth::principal_kind::member);
    if (!found) return {nullptr, make_error(error_code::invalid_credential)};
    auto const member = std::make_shared<auth::principal const>(std::move(*found));
    made.member = member;
    if (auto refused = auth::authorize(*member, what.facts, {})) return {member, std::move(refused)};

    http::query_reader query(what.query);
    change_input in{*client_, *member,        member->session->organization_slug, what.path, query, what.body,
                    config_,  what.request_id};
    auto answer = what.function(in);
    if (!answer) return {member, answer.error()};
    made.committing = true;
    transaction->commit();
    if (client_->superseded()) throw pg::connection_lost(pg::outdated_server);
    return {member, std::nullopt, std::move(*answer)};
}

pg::rows change_connection::begin(std::optional<pg::transaction>& transaction, auth::credential const& session) {
    auto const deadline = steady_clock::now() + how_.change_timeout;
    auto const present_session = [&] {
        transaction.emplace(*client_);
        auto found = client_->run(auth::authenticate(session));
        client_->run(pg::as_worker("console"));
        return found;
    };
    if (client_ && client_->superseded()) client_.reset();
    if (client_) {
        try {
            client_->set_deadline(deadline);
            return present_session();
        } catch (pg::connection_lost const&) { // while it was idle: nothing was sent on it before
            transaction.reset();
        }
    }
    pg::client connected(how_.database_url, client_options_of(how_, config_, deadline));
    require_role(connected, *config_.schema);
    client_.emplace(std::move(connected));
    return present_session();
}

change_pool::change_pool(change_pool_settings how, settings const& config)
    : how_(std::move(how)), queue_(queue_limits_of(how_)), threads_(how_.connections) {
    for (unsigned i = 0; i < how_.connections; ++i) idle_.emplace_back(how_, config);
}

task<change_outcome> change_pool::run(io_executor caller, change_request what) {
    auto enqueue = [this, request = std::move(what)](completion<change_outcome> resume) mutable {
        add(std::move(request), std::move(resume));
    };
    auto waiting = suspend<change_outcome>(caller, std::move(enqueue));
    auto done = co_await std::move(waiting);
    if (!done.outage.empty()) throw outage(done.outage); // on this thread: exceptions do not cross threads
    co_return done;
}

void change_pool::add(change_request what, completion<change_outcome> resume) {
    std::unique_lock const lock(mutex_);
    bool const crowded = queue_.is_full() || queue_.is_full_for(what.organization_id) ||
                         members_.count(what.member_id) >= how_.most_of_member;
    if (stopping_ || crowded)
        return resume.succeed(unavailable(stopping_ ? "the program is stopping" : "too many changes wait"));
    members_.insert(what.member_id);
    auto const organization = what.organization_id;
    queue_.push(organization, {std::move(what), std::move(resume), steady_clock::now()});
    start_next();
}

// Under the mutex. As many run as there are connections.
void change_pool::start_next() {
    constexpr auto one_per_turn = [](waiting_change const&, waiting_change const&) { return false; };
    while (auto started = queue_.start_turn(1, one_per_turn))
        asio::post(threads_,
                   [this, next = std::move(started->items.front())]() mutable { carry_out(std::move(next)); });
}

void change_pool::carry_out(waiting_change next) {
    std::unique_lock lock(mutex_);
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    lock.unlock();
    bool const is_late = steady_clock::now() - next.since > how_.longest_wait;
    auto done = is_late ? unavailable("the change waited for too long") : connection.perform(next.what);
    lock.lock();
    idle_.push_back(std::move(connection));
    members_.extract(next.what.member_id);
    queue_.finish_turn(next.what.organization_id);
    next.resume.succeed(std::move(done));
    start_next();
}

void change_pool::stop() {
    {
        std::unique_lock const lock(mutex_);
        stopping_ = true;
        for (auto& one : queue_.take_expired([](waiting_change const&) { return true; }))
            one.resume.succeed(unavailable("the program is stopping"));
    }
    threads_.join();
}

} // namespace recruiting::auth_api::console
