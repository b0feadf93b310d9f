#include "auth_api/http/read.hpp"

#include "audit/seal_store.hpp"
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

struct attempt {
    shared_result got;
    std::optional<api_error> failure;
    std::int64_t waiting_limit{0};
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

// made: what became of it, in the caller's frame; the frames of all attempts would not fit into what Asio keeps for the
// next coroutine (1,020 bytes).
task<void> run_statements(read_connections on, read_request const& request, std::vector<pg::statement> statements,
                          read_cost cost, attempt& made) {
    made = {};
    auto span = pg::segment_span({request.trace, "authenticate and read"}, 1 + statements.size());
    try {
        made.got = co_await run_on(on, request.presented, std::move(statements), cost,
                                   request.bound && request.bound->may_be_behind);
    } catch (pg::query_error const& error) {
        bool const timed_out = error.sqlstate() == pg::query_canceled;
        // Its message can quote values.
        (timed_out ? log::warning : log::error)("query_failed", {{"sqlstate", error.sqlstate()}});
        made.failure = error_of(error, request);
        pg::note_failure(span, error);
    } catch (too_many_waiting const& full) {
        made.failure = refuse_concurrency();
        made.waiting_limit = full.limit();
        span.fail("too_many_waiting");
    } catch (waited_too_long const&) {
        made.failure = make_error(error_code::service_unavailable);
        span.fail("waited_too_long");
    } catch (outage const&) {
        span.fail("connection_lost");
        throw;
    }
}

void render(read_response& read, read_connections on, http::token_signer const& signer, read_request const& request,
            std::span<pg::rows const> results) {
    render_context const context{*read.principal, signer, request.path, request.query, on.public_url};
    auto const rendered = request.bound->render(results, context, read.answer);
    if (!rendered) read.error = rendered.error();
    else if (request.bound->pages)
        read.answer.stream = std::make_shared<exported_body>(on, request, request.bound->pages);
}

// failure: of the statements; it is answered only to whom the authorization lets through.
read_response respond(read_connections on, http::token_signer const& signer, read_request const& request,
                      shared_result const& got, std::optional<api_error> failure, std::int64_t waiting_limit) {
    read_response read;
    read.waiting_limit = waiting_limit;
    read.principal = got.principal;
    if (!read.principal) read.error = make_error(error_code::invalid_credential);
    else read.error = auth::authorize(*read.principal, request.facts, request.required_scope);
    if (!read.error && !request.bound) read.error = request.bound.error();
    if (!read.error) read.error = std::move(failure);
    if (!read.error) render(read, on, signer, request, got.rows);
    return read;
}

} // namespace

task<read_response> execute_read(read_connections on, http::token_signer const& signer, read_request& request) {
    std::vector<pg::statement> statements;
    if (request.bound) statements = std::move(request.bound->statements);
    auto const cost = request.bound ? request.bound->cost : read_cost::indexed;
    attempt ran;
    read_connections const primary{on.reads, on.public_url};
    if (request.bound && request.bound->seals_first) { // in a transaction of its own: others wait for its end to seal
        std::vector<pg::statement> seal;
        seal.push_back(audit::seal_rows(most_sealed));
        co_await run_statements(primary, request, std::move(seal), read_cost::bulk, ran);
    }
    if (!ran.failure) co_await run_statements(on, request, std::move(statements), cost, ran);
    auto failure = std::move(ran.failure);
    auto const waiting_limit = ran.waiting_limit;
    if (failure) { // the audit log still needs the principal
        std::vector<pg::statement> none;
        co_await run_statements(primary, request, std::move(none), read_cost::indexed, ran);
        if (ran.failure) throw outage("authentication failed in the database");
    }
    co_return respond(on, signer, request, ran.got, std::move(failure), waiting_limit);
}

} // namespace recruiting::auth_api
