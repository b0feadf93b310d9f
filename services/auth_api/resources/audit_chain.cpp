#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

#include "core/text.hpp"

namespace recruiting::auth_api {
namespace {

// GET /audit/chain.
constexpr auto chain_sql = R"sql(
SELECT coalesce(h.sequence, 0), h.hash, h.updated_at, recruiting.audit_rows_waiting()
  FROM recruiting.organizations o LEFT JOIN recruiting.audit_heads h ON h.organization_id = o.id
 WHERE o.id = (SELECT recruiting.current_organization_id())
)sql";

result<void> render_chain(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    return render_record(results[0], answer, [](http::json_writer& json, pg::row row) {
        json.field("sequence", row.integer());
        bool const is_sealed = !row.is_null();
        auto const head = row.bytes();
        json.field("head", is_sealed ? std::optional(to_hex(head)) : std::nullopt)
            .field("sealedUntil", row.optional_time())
            .field("unsealedRows", row.integer());
    });
}

} // namespace

result<prepared_read> get_audit_chain(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{
        .statements = {{chain_sql, {}}}, .render = render_chain, .cost = read_cost::bulk, .seals_first = true};
}

} // namespace recruiting::auth_api
