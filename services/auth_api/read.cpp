#include "auth_api/read.hpp"

#include "core/log.hpp"
#include "http/body_source.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::string_view query_canceled = "57014"; // statement_timeout

// Every page authenticates again: a key revoked in the middle of an export ends it there.
class exported_body final : public http::body_source {
public:
    exported_body(pg::pipeline& connection, read_request const& request, std::shared_ptr<export_pages> pages)
        : connection_(connection), secret_hash_(request.secret_hash), facts_(request.facts),
          required_scope_(request.required_scope), pages_(std::move(pages)) {}

    task<bool> next(std::string& out) override {
        if (!begun_) pages_->begin(out);
        begun_ = true;
        std::vector<pg::statement> segment;
        segment.push_back(auth::authenticate(secret_hash_));
        segment.push_back(pages_->next_page());
        auto const results = co_await connection_.run(std::move(segment));
        auto const who = auth::read_principal(results[0]);
        if (!who || auth::judge(*who, facts_, required_scope_))
            throw outage("the credential no longer allows the export");
        co_return pages_->append(results[1], out);
    }

private:
    pg::pipeline& connection_;
    digest secret_hash_;
    auth::request_facts facts_;
    std::string_view required_scope_;
    std::shared_ptr<export_pages> pages_;
    bool begun_{false};
};

struct attempt {
    shared_result got;
    std::optional<api_error> failure;
};

task<attempt> run_statements(shared_reads& reads, read_request const& request, std::vector<pg::statement> statements) {
    attempt made;
    auto span = pg::segment_span({request.trace, "authenticate and read"}, 1 + statements.size());
    try {
        made.got = co_await reads.run(request.secret_hash, std::move(statements));
    } catch (pg::query_error const& error) {
        log::error("query_failed", {{"sqlstate", error.sqlstate()}}); // its message can quote values
        bool const timed_out = error.sqlstate() == query_canceled;
        made.failure = make_error(timed_out ? error_code::service_unavailable : error_code::internal_error);
        pg::note_failure(span, error);
    } catch (outage const&) {
        span.fail("connection_lost");
        throw;
    }
    co_return made;
}

void render(read_outcome& outcome, read_connections on, http::token_signer const& signer, read_request const& request,
            std::span<pg::rows const> results) {
    render_context const context{*outcome.who, signer, request.path, request.query, on.public_url};
    auto const rendered = request.bound->render(results, context, outcome.answer);
    if (!rendered) outcome.error = rendered.error();
    else if (request.bound->pages)
        outcome.answer.stream = std::make_shared<exported_body>(on.exports, request, request.bound->pages);
}

} // namespace

task<read_outcome> execute_read(read_connections on, http::token_signer const& signer, read_request& request) {
    std::vector<pg::statement> statements;
    if (request.bound) statements = std::move(request.bound->statements);
    auto ran = co_await run_statements(on.reads, request, std::move(statements));
    auto const failure = ran.failure;
    if (failure) { // whose request it was is still to be told, for the audit log
        std::vector<pg::statement> none;
        ran = co_await run_statements(on.reads, request, std::move(none));
        if (ran.failure) throw outage("authentication failed in the database");
    }
    read_outcome outcome;
    outcome.who = ran.got.who;
    if (!outcome.who) outcome.error = make_error(error_code::invalid_credential);
    else outcome.error = auth::judge(*outcome.who, request.facts, request.required_scope);
    if (!outcome.error && !request.bound) outcome.error = request.bound.error();
    if (!outcome.error) outcome.error = failure;
    if (!outcome.error) render(outcome, on, signer, request, ran.got.rows);
    co_return outcome;
}

} // namespace recruiting::auth_api
