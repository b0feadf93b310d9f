#include "audit/event_store.hpp"

#include "core/ip.hpp"

#include <algorithm>
#include <limits>

namespace recruiting::audit {
namespace {

constexpr auto event_type_sql = "SELECT 'recruiting.audit_event'::regtype::oid::bigint";
struct event_type_columns {
    enum : int { oid };
};

// Every waiting request's row in one row of the intake, and so in one commit.
constexpr auto insert_sql =
    "INSERT INTO recruiting.audit_intake (event_count, events) "
    "SELECT cardinality(b.events), b.events FROM (SELECT $1::recruiting.audit_event[] AS events) b";

// Requests of refused keys: all are counted, and those that the count names get a row. The result is their ids.
constexpr auto count_refused_sql = R"sql(
WITH event AS MATERIALIZED (
    SELECT e FROM unnest($1::recruiting.audit_event[]) AS e
), single AS MATERIALIZED (
    SELECT recruiting.count_refused_requests($3::integer, $2::uuid[], array_agg((e).id), array_agg((e).occurred_at),
               array_agg((e).organization_id), array_agg((e).credential_id), array_agg((e).status_code),
               array_agg((e).error_code), array_agg((e).ip_address)) AS id
      FROM event
), written AS (
    INSERT INTO recruiting.audit_intake (event_count, events)
    SELECT count(*), array_agg(e) FROM event WHERE (e).id IN (SELECT id FROM single) HAVING count(*) > 0
)
SELECT id FROM single
)sql";

constexpr auto write_counts_sql = "SELECT recruiting.write_refused_counts()";
struct write_counts_columns {
    enum : int { rows };
};

// The binary form of an array of recruiting.audit_event: what array_recv, record_recv and the receive functions of the
// columns' types read. Integers are in network byte order; a value is preceded by its length, -1 for NULL.
class event_array {
public:
    event_array(std::span<event const> events, std::uint32_t type) {
        out_.reserve(32 + events.size() * 640);
        add<std::int32_t>(1); // dimension
        add<std::int32_t>(0); // without NULLs
        add(type);
        add(static_cast<std::int32_t>(events.size()));
        add<std::int32_t>(1); // the first index
        for (auto const& each : events) append(each);
    }
    [[nodiscard]] std::string_view bytes() const noexcept { return out_; }

private:
    enum class oid : std::uint32_t {
        boolean = 16,
        bigint = 20,
        smallint = 21,
        integer = 23,
        text = 25,
        inet = 869,
        timestamptz = 1184,
        uuid = 2950
    };

    void append(event const& e) {
        auto const at = begin();
        add<std::int32_t>(26); // columns, in the type's order
        value(e.id);
        value(e.occurred_at);
        value(e.organization_id);
        optional(e.credential_id);
        text(e.credential_name);
        text(e.actor_type);
        optional(e.actor_member_id);
        text(e.actor_email);
        text(e.actor_role);
        text(e.action);
        text(e.method);
        text(e.endpoint);
        text(e.path);
        text(e.target_type);
        text(e.target_id);
        number<std::int16_t>(oid::smallint, e.status_code);
        value(e.success);
        text(e.error_code);
        text(e.required_scope);
        address(e.ip_address);
        text(e.user_agent);
        text(e.request_id);
        optional(e.session_id);
        optional(e.correlation_id);
        number<std::int32_t>(oid::integer, e.duration_ms);
        null(oid::bigint); // request_count
        end(at);
    }

    template <std::integral Int>
    void add(Int value) {
        auto const bits = static_cast<std::make_unsigned_t<Int>>(value);
        for (int shift = (static_cast<int>(sizeof bits) - 1) * 8; shift >= 0; shift -= 8)
            out_ += static_cast<char>(static_cast<std::uint8_t>(bits >> shift));
    }
    void type(oid of) { add(static_cast<std::uint32_t>(of)); }
    void null(oid of) {
        type(of);
        add<std::int32_t>(-1);
    }
    // A length that is known once its value is there.
    std::size_t begin() {
        add<std::int32_t>(0);
        return out_.size();
    }
    void end(std::size_t at) {
        auto const length = static_cast<std::uint32_t>(out_.size() - at);
        for (std::size_t i = 0; i < 4; ++i)
            out_[at - 4 + i] = static_cast<char>(static_cast<std::uint8_t>(length >> (24 - 8 * i)));
    }

    void value(uuid const& id) {
        type(oid::uuid);
        add<std::int32_t>(16);
        out_.append(reinterpret_cast<char const*>(id.bytes.data()), id.bytes.size());
    }
    // Microseconds since 2000-01-01.
    void value(timestamp time) {
        using namespace std::chrono;
        type(oid::timestamptz);
        add<std::int32_t>(8);
        add<std::int64_t>(duration_cast<microseconds>(time - sys_days{year{2000} / 1 / 1}).count());
    }
    void value(bool is_true) {
        type(oid::boolean);
        add<std::int32_t>(1);
        add<std::int8_t>(is_true ? 1 : 0);
    }
    void optional(std::optional<uuid> const& id) {
        if (id) value(*id);
        else null(oid::uuid);
    }
    // Empty texts are NULL.
    void text(std::string const& of) {
        if (of.empty()) return null(oid::text);
        type(oid::text);
        add(static_cast<std::int32_t>(of.size()));
        out_ += of;
    }
    template <std::integral Int>
    void number(oid of, std::optional<std::int64_t> const& value) {
        if (!value) return null(of);
        type(of);
        add(static_cast<std::int32_t>(sizeof(Int)));
        add(static_cast<Int>(
            std::clamp<std::int64_t>(*value, std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max())));
    }
    // Family (2: IPv4, 3: IPv6), bits, whether it is a network, and the address.
    void address(std::string const& of) {
        auto const parsed = parse_ip(of);
        if (!parsed) return null(oid::inet);
        bool const is_v4 = parsed->is_v4();
        std::int8_t const length = is_v4 ? 4 : 16;
        type(oid::inet);
        add(std::int32_t{4} + length);
        add<std::int8_t>(is_v4 ? 2 : 3);
        add(static_cast<std::int8_t>(length * 8));
        add<std::int8_t>(0);
        add(length);
        for (auto at = parsed->bytes.size() - static_cast<std::size_t>(length); at < parsed->bytes.size(); ++at)
            add(parsed->bytes[at]);
    }

    std::string out_;
};

} // namespace

pg::statement select_event_type() { return {event_type_sql, {}}; }

std::uint32_t read_event_type(pg::rows const& rows) {
    return static_cast<std::uint32_t>(rows.integer(0, event_type_columns::oid));
}

pg::statement insert_events(std::span<event const> events, std::uint32_t event_type) {
    pg::statement out{insert_sql, {}};
    out.params.bytes(event_array(events, event_type).bytes());
    return out;
}

pg::statement count_refused_events(std::span<event const> events, std::uint32_t event_type,
                                   std::span<uuid const> counters, std::int64_t single_rows) {
    pg::statement out{count_refused_sql, {}};
    out.params.bytes(event_array(events, event_type).bytes()).id_array(counters).integer(single_rows);
    return out;
}

pg::statement write_refused_counts() { return {write_counts_sql, {}}; }

std::int64_t read_counts_written(pg::rows const& rows) { return rows.integer(0, write_counts_columns::rows); }

namespace {

struct exposure_key_columns {
    enum : int { public_key };
};

// While the pepper is being changed there can be two keys; the newest one stays.
constexpr auto exposure_key_sql = "SELECT public_key FROM recruiting.exposure_keys ORDER BY created_at DESC LIMIT 1";

constexpr auto insert_exposure_sql = R"sql(
INSERT INTO recruiting.exposed_credentials
    (id, sealed, seen_in, endpoint, method, ip_address, user_agent, request_id, seen_at)
VALUES ($1, $2, $3, nullif($4, ''), $5, nullif($6, '')::inet, nullif($7, ''), $8, $9)
)sql";

} // namespace

pg::statement select_exposure_key() { return {exposure_key_sql, {}}; }

std::string_view read_exposure_key(pg::rows const& rows) {
    return rows.empty() ? std::string_view() : rows.bytes(0, exposure_key_columns::public_key);
}

pg::statement insert_exposure_report(exposure_report const& report, std::string_view sealed) {
    pg::statement out{insert_exposure_sql, {}};
    out.params.id(report.id).bytes(sealed).text(report.location).text(report.endpoint).text(report.method);
    out.params.text(report.client).text(report.user_agent).text(report.request_id).time(report.seen_at);
    return out;
}

} // namespace recruiting::audit
