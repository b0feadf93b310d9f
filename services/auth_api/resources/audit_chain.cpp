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
struct chain_columns {
    enum : int { sequence, hash, updated_at, unsealed };
};

result<void> render_chain(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    using columns = chain_columns;
    auto const& chain = results[0];
    return render_record(chain, answer, [&](http::json_writer& json) {
        json.field("sequence", chain.integer(0, columns::sequence)).key("head");
        if (chain.is_null(0, columns::hash)) json.null();
        else json.value(to_hex(chain.bytes(0, columns::hash)));
        json.field("sealedUntil", chain.optional_time(0, columns::updated_at))
            .field("unsealedRows", chain.integer(0, columns::unsealed));
    });
}

} // namespace

result<prepared_read> get_audit_chain(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{
        .statements = {{chain_sql, {}}}, .render = render_chain, .cost = read_cost::bulk, .seals_first = true};
}

} // namespace recruiting::auth_api
