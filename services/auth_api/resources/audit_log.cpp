#include "auth_api/resources/audit_log.hpp"

#include "auth_api/resources/audit_log_rows.hpp"
#include "auth_api/resources/audit_log_store.hpp"
#include "core/ip.hpp"

#include <algorithm>
#include <limits>

namespace recruiting::auth_api {
namespace {

enum class format { json, csv, ndjson };

format wanted_format(std::string_view accept) {
    auto const wanted = http::preferred_type(accept, {"application/json", "text/csv", "application/x-ndjson"});
    if (wanted == "text/csv") return format::csv;
    return wanted == "application/x-ndjson" ? format::ndjson : format::json;
}

class audit_export final : public export_pages {
public:
    audit_export(list_query list, format as)
        : list_(std::move(list)), as_(as),
          left_(list_.given_limit().value_or(std::numeric_limits<std::int64_t>::max())) {}

    void begin(std::string& out) override {
        if (as_ == format::csv) append_audit_csv_header(out);
    }
    [[nodiscard]] pg::statement next_page() const override { return list_.export_page(after_); }
    [[nodiscard]] bool append(pg::rows const& page, std::string& out) override {
        int const found = list_.record_count(page);
        for (int row = 0; row < found && left_ > 0; ++row, --left_) {
            if (as_ == format::csv) {
                append_audit_csv(out, page, row);
                continue;
            }
            http::json_writer json(out); // a line break before it: no comma comes
            write_audit_json(json, page, row);
            out += '\n';
        }
        after_ = list_.export_position(page);
        return after_ && left_ > 0;
    }

private:
    list_query list_;
    format as_;
    std::int64_t left_;
    std::optional<list_query::position> after_;
};

void add_texts(bind_input& in, list_query& list) {
    if (auto const actions = http::read_words(in.query, "action")) {
        bool const requests = std::ranges::find(*actions, "api.request") != actions->end();
        list.where_any(requests ? audit_of_requests : audit_of_action, *actions);
    }
    if (auto const endpoints = http::read_words(in.query, "endpoint")) list.where_any(audit_of_endpoint, *endpoints);
    if (auto const request = in.query.text("requestId", 64)) list.where(audit_of_request, *request);
}

void add_ids(bind_input& in, list_query& list) {
    if (auto const ids = http::read_ids(in.query, "credentialId")) list.where_any(audit_of_credential, *ids);
    if (auto const ids = http::read_ids(in.query, "memberId")) list.where_any(audit_of_member, *ids);
    if (auto const ids = http::read_ids(in.query, "sessionId")) list.where_any(audit_of_session, *ids);
}

void add_outcome(bind_input& in, list_query& list) {
    if (auto const success = in.query.boolean("success"))
        list.where(*success ? audit_of_successes : audit_of_failures, *success ? "t" : "f");
    if (auto const codes = http::read_integers(in.query, "statusCode", 100, 599))
        list.where_any(audit_of_status, *codes);
    auto const address = in.query.text("ipAddress", 45);
    if (!address) return;
    if (auto const parsed = parse_ip(*address)) list.where(audit_of_address, to_string(*parsed));
    else in.query.problem("ipAddress", "invalid", "Must be an IPv4 or IPv6 address.");
}

void add_times(bind_input& in, list_query& list) {
    if (auto const time = in.query.time("occurredAfter")) list.where(audit_since, format_time_micros(*time));
    if (auto const time = in.query.time("occurredBefore")) list.where(audit_until, format_time_micros(*time));
}

} // namespace

result<prepared_read> list_audit(bind_input& in) {
    list_query list(in, audit_list);
    add_times(in, list);
    add_ids(in, list);
    add_texts(in, list);
    add_outcome(in, list);
    if (auto const order = in.query.choice("order", {"asc", "desc"})) list.set_descending(*order == "desc");
    auto const as = wanted_format(in.request.header("Accept"));
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    if (as != format::json) {
        std::string const type = as == format::csv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
        auto exported =
            list.prepared({}, [type](std::span<pg::rows const>, render_context const&, http::response& answer) {
                answer.content_type = type;
                return result<void>{};
            });
        exported.pages = std::make_shared<audit_export>(list, as);
        exported.cost = read_cost::bulk;
        return exported;
    }
    return list.prepared(std::move(statements), [list](std::span<pg::rows const> results, render_context const& context,
                                                       http::response& answer) {
        return list.render(results, context, answer, write_audit_json);
    });
}

} // namespace recruiting::auth_api
