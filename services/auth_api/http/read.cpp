#include "auth_api/http/read.hpp"

#include "audit/event_store.hpp"
#include "core/log.hpp"
#include "http/handler.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t most_sealed = 20'000; // rows before a read: below a second

task<shared_result> run_on(read_connections on, auth::credential const& presented,
                           std::vector<pg::statement> statements, read_cost cost, bool may_be_behind) {
    if (on.standby != nullptr && may_be_behind) return on.standby->run(presented, std::move(statements), cost);
    return on.reads.run(presented, std::move(statements), cost);
}

// Every page authenticates again: a key revoked in the middle of an export ends it there.
class exported_body final : public http::body_source {
public:
    exported_body(read_connections on, read_request const& request, std::shared_ptr<export_pages> pages)
        : on_(on), presented_(request.presented), facts_(request.facts), required_scope_(request.required_scope),
          may_be_behind_(request.bound->may_be_behind), pages_(std::move(pages)) {}

    task<bool> next(std::string& out) override {
        if (!begun_) pages_->begin(out);
        begun_ = true;
        std::vector<pg::statement> page;
        page.push_back(pages_->next_page());
        auto const got = co_await run_on(on_, presented_, std::move(page), read_cost::bulk, may_be_behind_);
        if (!got.principal || auth::authorize(*got.principal, facts_, required_scope_))
            throw outage("the credential no longer allows the export");
        co_return pages_->append(got.rows[0], out);
    }

private:
    read_connections on_;
    auth::credential presented_;
    auth::request_facts facts_;
    std::string_view required_scope_;
    bool may_be_behind_;
    std::shared_ptr<export_pages> pages_;
    bool begun_{false};
};

api_error refuse_concurrency() {
    return rate_limited("concurrency", 1,
                        "Too many requests of the organization are waiting. Send fewer requests at the same time.");
}

// A search that used up its time would do so again. Other reads take long only while the database is busy.
api_error error_of(pg::query_error const& error, read_request const& request) {
    if (error.sqlstate() != pg::query_canceled) return make_error(error_code::internal_error);
    if (!request.bound || request.bound->cost != read_cost::search) return make_error(error_code::service_unavailable);
    return invalid_request({{"query", std::string(request.bound->costly_parameter), "too_costly",
                             "This search takes too long. Narrow it with longer words or another filter."}});
}

// What was found, or why not, is in the caller's frame: with more results in one frame it would be longer than what
// Asio keeps for the next coroutine (1,020 bytes).
task<void> run_statements(read_connections on, read_request const& request, std::vector<pg::statement> statements,
                          read_cost cost, query_result& out) {
    out = {};
    auto span = pg::segment_span({request.trace, "authenticate and read"}, 1 + statements.size());
    try {
        auto got = co_await run_on(on, request.presented, std::move(statements), cost,
                                   request.bound && request.bound->may_be_behind);
        out.principal = std::move(got.principal);
        out.rows = std::move(got.rows);
    } catch (pg::query_error const& error) {
        bool const timed_out = error.sqlstate() == pg::query_canceled;
        // Its message can quote values.
        log::write(timed_out ? log::level::warning : log::level::error, "query_failed",
                   {{"sqlstate", error.sqlstate()}});
        out.error = error_of(error, request);
        pg::note_failure(span, error);
    } catch (too_many_waiting const& full) {
        out.error = refuse_concurrency();
        out.waiting_limit = full.limit();
        span.fail("too_many_waiting");
    } catch (waited_too_long const&) {
        out.error = make_error(error_code::service_unavailable);
        span.fail("waited_too_long");
    } catch (outage const&) {
        span.fail("connection_lost");
        throw;
    }
}

// failure: of the statements; it is answered only to whom the authorization lets through.
std::optional<api_error> refusal_of(read_request const& request, auth::principal const* caller,
                                    std::optional<api_error> failure) {
    if (caller == nullptr) return make_error(error_code::invalid_credential);
    if (auto refused = auth::authorize(*caller, request.facts, request.required_scope)) return refused;
    if (!request.bound) return request.bound.error();
    return failure;
}

void render(read_response& read, read_connections on, http::token_signer const& signer, read_request const& request) {
    render_context const context{*read.principal, signer, request.path, request.query, on.public_url};
    auto const rendered = request.bound->render(read.rows, context, read.answer);
    if (!rendered) read.error = rendered.error();
    else if (request.bound->pages)
        read.answer.stream = std::make_shared<exported_body>(on, request, request.bound->pages);
}

} // namespace

task<query_result> authenticated_query(read_connections on, read_request& request) {
    std::vector<pg::statement> statements;
    if (request.bound) statements = std::move(request.bound->statements);
    auto const cost = request.bound ? request.bound->cost : read_cost::indexed;
    query_result out;
    read_connections const primary{on.reads, on.public_url};
    if (request.bound && request.bound->seals_first) { // in a transaction of its own: others wait for its end to seal
        std::vector<pg::statement> seal;
        seal.push_back(audit::seal_rows(most_sealed));
        co_await run_statements(primary, request, std::move(seal), read_cost::bulk, out);
    }
    if (!out.error) co_await run_statements(on, request, std::move(statements), cost, out);
    auto failure = std::move(out.error);
    auto const waiting_limit = out.waiting_limit;
    if (failure) { // the audit log still needs the principal
        std::vector<pg::statement> none;
        co_await run_statements(primary, request, std::move(none), read_cost::indexed, out);
        if (out.error) throw outage("authentication failed in the database");
    }
    out.error = refusal_of(request, out.principal.get(), std::move(failure));
    out.waiting_limit = waiting_limit;
    co_return out;
}

task<read_response> execute_read(read_connections on, http::token_signer const& signer, read_request& request) {
    auto found = co_await authenticated_query(on, request);
    read_response read{std::move(found), {}};
    if (!read.error) render(read, on, signer, request);
    co_return read;
}

} // namespace recruiting::auth_api
