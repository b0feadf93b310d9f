// A step of a warehouse sync (proto-docs/lists.md; decisions 0003 and 0070).
//
// A list's feed has a row (xid, id, left_at) for each record that the round brings, once: sources are joined by UNION
// ALL, each read from an index in the order (xid, id) and bounded by {limit}; one whose record a later source of the
// same round brings leaves it out. left_at: when a record left that is not joined any more. In its text stand for
// values of this step: {after_xid}, {after_id}: the last record returned; {from}, {upper}: the round's transactions;
// {since}, {until}: its time; {first}: is it the first round, which shows nothing that is gone.
#include "auth_api/http/list_query.hpp"
#include "pg/servers.hpp"

#include <map>

namespace recruiting::auth_api {
namespace {

constexpr std::string_view sync_kind = "s1"; // what the signed parts are: no other kind of token is read as one

// The first statement of a step fixes the round's end: the oldest transaction of this database still running. Whatever
// commits later has this number or a higher one and is seen by the next round, so no row is missed however late it
// commits. Never before the round's beginning, below which all had ended already: that horizon may have left out a
// transaction of another database that this one does not know. Which server counts these numbers stands beside them:
// after a failover or a restore to a point in time another one gives them out again, to other changes.
std::string bound_sql() {
    return "SELECT set_config('recruiting.sync_upper', "
           "coalesce($1, greatest(recruiting.transaction_horizon(), $3::xid8)::text), true), "
           "set_config('recruiting.sync_until', coalesce($2, now()::text), true), line.* FROM (" +
           std::string(pg::select_line) + ") AS line";
}

std::string line_of(pg::rows const& bound) {
    auto const line = pg::read_line(bound[0].from(2));
    return line.system + "/" + std::to_string(line.timeline);
}

std::vector<error_detail> start_over(std::string_view why) {
    return {{"query", "syncToken", "sync_token_expired",
             std::string(why) + " Start over with an empty syncToken, and replace the copy."}};
}

// Puts what stands for {name} in its place; a value becomes a parameter at its first use.
class feed_text {
public:
    feed_text(pg::params& params, std::map<std::string_view, std::string> texts,
              std::map<std::string_view, std::pair<std::string, std::string>> values)
        : params_(params), texts_(std::move(texts)), values_(std::move(values)) {}

    std::string operator()(std::string_view sql) {
        std::string out;
        for (auto open = sql.find('{'); open != std::string_view::npos; open = sql.find('{')) {
            auto const close = sql.find('}', open);
            out.append(sql.substr(0, open)).append(text_of(sql.substr(open + 1, close - open - 1)));
            sql.remove_prefix(close + 1);
        }
        return out.append(sql);
    }

private:
    std::string const& text_of(std::string_view name) {
        if (auto const found = texts_.find(name); found != texts_.end()) return found->second;
        auto const& [value, type] = values_.at(name);
        params_.text(value);
        return texts_[name] = "$" + std::to_string(params_.size()) + type;
    }

    pg::params& params_;
    std::map<std::string_view, std::string> texts_;
    std::map<std::string_view, std::pair<std::string, std::string>> values_;
};

} // namespace

void list_query::read_sync() {
    sync_ = sync_position{};
    for (auto const name : {"cursor", "sort"})
        if (in_.query.has(name))
            in_.query.problem(name, "not_with_sync_token",
                              "A sync has its own order and position: remove this parameter.");
    auto const token = in_.query.text("syncToken", 2000, http::query_reader::empty::allowed);
    if (token && !token->empty()) read_sync_token(*token); // empty: a first sync
}

void list_query::read_sync_token(std::string const& token) {
    auto const parts = in_.signer.verify(token);
    if (!parts || parts->size() != 10 || (*parts)[0] != sync_kind || (*parts)[1] != sync_name())
        return in_.query.problem("syncToken", "bad_token", "This token was not issued by this endpoint.");
    sync_ = sync_position{(*parts)[4], (*parts)[5], (*parts)[6], (*parts)[7],
                          (*parts)[8], (*parts)[9], (*parts)[2], (*parts)[3]};
}

// What a token goes with: the list, and the record whose list it is.
std::string list_query::sync_name() const {
    return std::string(shape_.route) + (first_ ? " " + to_string(*first_) : std::string());
}

// A caller who sees the same records of the list, and the same of each, may continue with the token. A copy made under
// another role or on another hiring team's jobs has records that no later round would take back.
std::string list_query::audience_of(auth::principal const& principal) const {
    std::string out = to_string(principal.organization_id);
    if (shape_.by_reach)
        out += principal.role == role::admin || principal.role == role::recruiter
                   ? " all"
                   : " " + to_string(principal.member_id);
    if (!shape_.parts.empty()) out.append(" ").append(shape_.parts);
    if (inclusion_ == nullptr) return out;
    out.append(" ").append(inclusion_->name);
    if (!principal.effective.test(*scope_index(inclusion_->visible))) out.append(" less");
    return out;
}

result<void> list_query::check_token(std::span<pg::rows const> results, render_context const& context) const {
    if (!sync_ || sync_->audience.empty()) return {};
    if (sync_->audience != audience_of(context.principal))
        return invalid_request(start_over("This token was issued for another member, role or include."));
    if (sync_->line != line_of(results[results.size() - 2]))
        return invalid_request(start_over("This token was issued before the database was restored or failed over."));
    return {};
}

std::vector<pg::statement> list_query::sync_statements() const {
    pg::statement bound{bound_sql(), {}};
    for (auto const& end : {sync_->upper, sync_->until}) {
        if (end.empty()) bound.params.null();
        else bound.params.text(end);
    }
    bound.params.text(sync_->from);
    bool const first = sync_->from == "0";
    auto const no_id = std::string(32, '0');
    auto params = params_;
    feed_text fill(params,
                   {{"upper", "(SELECT current_setting('recruiting.sync_upper')::xid8)"},
                    {"until", "(SELECT current_setting('recruiting.sync_until')::timestamptz)"},
                    {"first", first ? "true" : "false"}},
                   {{"from", {sync_->from, "::xid8"}},
                    {"since", {sync_->since, "::timestamptz"}},
                    {"after_xid", {sync_->after_xid.empty() ? sync_->from : sync_->after_xid, "::xid8"}},
                    {"after_id", {sync_->after_id.empty() ? no_id : sync_->after_id, "::uuid"}},
                    {"limit", {std::to_string(limit_ + 1), "::bigint"}}});
    auto sql = "SELECT " + std::string(shape_.columns) + ", f.xid::text, f.id AS record_id, CASE WHEN " +
               std::string(shape_.id) + " IS NULL THEN coalesce(f.left_at, now()) ELSE " + std::string(shape_.gone) +
               " END, f.xid AS record_sort FROM (";
    sql += fill(shape_.feed);
    if (inclusion_ != nullptr && !first) sql.append(" UNION ALL ").append(fill(inclusion_->feed));
    sql += fill(" ORDER BY xid, id LIMIT {limit}) AS f ") + std::string(shape_.record) + " ORDER BY f.xid, f.id";
    if (inclusion_ != nullptr) add_inclusion(sql, "");
    return {std::move(bound), {std::move(sql), std::move(params)}};
}

bool list_query::has_left(pg::rows const& rows, int row) const {
    return sync_ && !rows.is_null(row, shape_.own_columns + sync_columns::left_at);
}

// Nothing of the record but its id: it is out of the caller's reach, gone from this list, or deleted.
void list_query::write_left(http::json_writer& json, pg::rows const& rows, int row) const {
    int const first = shape_.own_columns;
    json.open_object()
        .field("id", rows.id(row, first + sync_columns::record_id))
        .field("deletedAt", rows.time(row, first + sync_columns::left_at))
        .close_object();
}

std::string list_query::next_sync_token(std::span<pg::rows const> results, render_context const& context) const {
    auto const& rows = results.back();
    auto const& bound = results[results.size() - 2];
    std::string const upper(bound.text(0, 0));
    std::string const until(bound.text(0, 1));
    auto const shown = shown_rows(rows);
    std::vector<std::string> parts = {std::string(sync_kind), sync_name(), audience_of(context.principal),
                                      line_of(bound)};
    if (shown.end < rows.size()) {
        int const first = shape_.own_columns;
        parts.insert(parts.end(), {sync_->from, sync_->since, upper, until,
                                   std::string(rows.text(shown.last, first + sync_columns::xid)),
                                   to_string(rows.id(shown.last, first + sync_columns::record_id))});
    } else {
        parts.insert(parts.end(), {upper, until, "", "", "", ""});
    }
    return context.signer.sign(parts);
}

} // namespace recruiting::auth_api
