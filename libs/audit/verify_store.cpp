#include "audit/verify.hpp"

#include "audit/event_store.hpp"

#include <map>

namespace recruiting::audit {
namespace {

// Heads, rows and the intake of one moment, while rows are sealed.
constexpr auto snapshot_sql = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

// Every chain there is or was: its head, and where it begins since retention came by. A start counts only when really
// nothing older than it says is left.
constexpr auto chains_sql = R"sql(
SELECT coalesce(h.organization_id, s.organization_id), h.sequence, h.hash, s.sequence, s.hash, s.dropped_before
  FROM recruiting.audit_heads h
  FULL JOIN (SELECT * FROM recruiting.audit_chain_starts s
              WHERE NOT EXISTS (SELECT FROM recruiting.audit_log l
                                 WHERE l.organization_id = s.organization_id AND l.occurred_at < s.dropped_before)) s
    ON s.organization_id = h.organization_id
 WHERE $1::uuid IS NULL OR coalesce(h.organization_id, s.organization_id) = $1::uuid
)sql";

constexpr auto unsealed_sql = R"sql(
SELECT count(*) FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e
 WHERE $1::uuid IS NULL OR e.organization_id = $1::uuid
)sql";

// The chains one after the other, each in its order. Row by row from the index: no sort and no hash table of the
// whole log on the server either.
constexpr auto plan_sql = "SELECT set_config('enable_hashjoin', 'off', true), "
                          "set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)";
// The columns of stored_event_columns() follow. Rows without a sequence come last.
constexpr auto declare_head = R"sql(
DECLARE chain NO SCROLL CURSOR FOR
SELECT l.organization_id, l.sequence, l.id, l.occurred_at, l.hash, l.kept, )sql";
constexpr auto declare_one = " WHERE l.organization_id = $1::uuid ORDER BY l.organization_id, l.sequence";
constexpr auto declare_all = " ORDER BY l.organization_id, l.sequence";
constexpr auto fetch_sql = "FETCH 2000 FROM chain";
constexpr auto heads_sql = R"sql(
SELECT h.organization_id, o.slug, h.sequence, h.hash, s.occurred_at
  FROM recruiting.audit_heads h
  LEFT JOIN recruiting.organizations o ON o.id = h.organization_id
  LEFT JOIN recruiting.audit_log s ON s.organization_id = h.organization_id AND s.sequence = h.sequence
 WHERE $1::uuid IS NULL OR h.organization_id = $1::uuid
 ORDER BY 2
)sql";

constexpr auto organization_sql = "SELECT id FROM recruiting.organizations WHERE slug = $1";

struct chain {
    std::optional<chain_end> head;
    std::optional<chain_start> start;
    std::vector<kept_head> kept_heads;
};
using chains = std::map<uuid, chain>;

chains read_chains(pg::client& database, organization_choice const& of) {
    chains out;
    auto const rows = database.run(chains_sql, pg::params{}.optional_id(of));
    for (auto row : rows) {
        auto& entry = out[row.id()];
        if (row.is_null()) {
            row.skip(2);
        } else {
            auto& head = entry.head.emplace();
            row.read(head.sequence, head.hash);
        }
        if (row.is_null()) continue;
        auto& start = entry.start.emplace();
        row.read(start.dropped.sequence, start.dropped.hash, start.dropped_before);
    }
    return out;
}

// Walks all rows; one chain_check after the other.
class walk {
public:
    walk(chains& of, verify_counts& counts, chain_check::report const& report)
        : chains_(of), counts_(counts), report_(report) {}

    void take(pg::row row) {
        auto const organization = row.id();
        if (!check_ || organization != current_) begin(organization);
        auto const sequence = row.optional_integer();
        auto const id = row.id();
        if (!sequence)
            return report_(
                {discrepancy_kind::added, organization, {}, {}, id, "the row was not written through the intake"});
        stored_seal const seal{*sequence, id, row.time(), row.bytes()};
        bool const is_kept = row.boolean();
        if (is_kept) return check_->add(seal, nullptr);
        auto const event = read_stored_event(row);
        check_->add(seal, &event);
    }

    /// After the last row: also the chains that have none.
    void end() {
        finish();
        while (!chains_.empty()) {
            begin(chains_.begin()->first);
            finish();
        }
    }

private:
    void begin(uuid const& organization) {
        finish();
        current_ = organization;
        auto& entry = chains_[organization];
        head_ = entry.head;
        check_.emplace(organization, entry.start, std::move(entry.kept_heads), report_);
        chains_.erase(organization);
    }
    void finish() {
        if (!check_) return;
        check_->finish(head_);
        counts_.sealed += check_->checked();
        ++counts_.organizations;
        check_.reset();
    }

    chains& chains_;
    verify_counts& counts_;
    chain_check::report const& report_;
    uuid current_;
    std::optional<chain_end> head_;
    std::optional<chain_check> check_;
};

void walk_rows(pg::client& database, organization_choice const& of, walk& through) {
    database.run(plan_sql);
    auto const declare =
        std::string(declare_head).append(stored_event_columns()) + " FROM " + std::string(chained_rows());
    if (of) database.run(declare + declare_one, pg::params{}.id(*of));
    else database.run(declare + declare_all);
    for (;;) {
        auto const rows = database.run(fetch_sql);
        for (auto const row : rows) through.take(row);
        if (rows.empty()) break;
    }
    through.end();
}

} // namespace

verify_counts verify(pg::client& database, organization_choice const& of,
                     std::vector<std::pair<uuid, kept_head>> const& kept_heads, chain_check::report const& report) {
    verify_counts counts;
    chain_check::report const counted = [&](discrepancy found) {
        ++counts.discrepancies;
        report(std::move(found));
    };
    pg::transaction snapshot(database);
    database.run(snapshot_sql);
    auto all = read_chains(database, of);
    for (auto const& [organization, head] : kept_heads)
        if (!of || *of == organization) all[organization].kept_heads.push_back(head);
    counts.unsealed = database.run(unsealed_sql, pg::params{}.optional_id(of)).integer(0, 0);
    walk through(all, counts, counted);
    walk_rows(database, of, through);
    snapshot.commit();
    return counts;
}

std::vector<named_head> read_heads(pg::client& database, organization_choice const& of) {
    std::vector<named_head> out;
    auto const rows = database.run(heads_sql, pg::params{}.optional_id(of));
    for (auto row : rows) {
        auto& head = out.emplace_back();
        head.organization_id = row.id();
        head.slug = row.optional_text().value_or(to_string(head.organization_id));
        row.read(head.end.sequence, head.end.hash, head.occurred_at);
    }
    return out;
}

std::optional<uuid> organization_by_slug(pg::client& database, std::string_view slug) {
    auto const rows = database.run(organization_sql, pg::params{}.text(slug));
    if (rows.empty()) return std::nullopt;
    return rows.id(0, 0);
}

} // namespace recruiting::audit
