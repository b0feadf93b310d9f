#include "pg/schema_store.hpp"

#include "core/log.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace recruiting::pg {
namespace {

constexpr int needed = RECRUITING_NEWEST_MIGRATION;
constexpr std::string_view not_permitted = "42501";

// $1: the program's role; a role that is a member of it and inherits its rights is as good. $2: the other roles. What
// the session's user may do counts, for a statement can undo SET ROLE.
constexpr std::string_view select_who = R"sql(
SELECT pg_backend_pid(), (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, current_user::text,
       EXISTS (SELECT FROM pg_roles r WHERE r.rolname = $1 AND pg_has_role(current_user, r.oid, 'USAGE')),
       (SELECT r.rolname::text FROM pg_roles r
         WHERE (r.rolsuper OR r.rolbypassrls OR r.rolname = ANY ($2::text[])) AND pg_has_role(session_user, r.oid, 'MEMBER')
         ORDER BY r.rolname <> session_user, r.rolname LIMIT 1)
)sql";

// A relation that is not there is the schema's matter.
constexpr std::string_view select_version = R"sql(
SELECT recruiting.schema_version(),
       (SELECT CASE WHEN wanted THEN 'lacks ' ELSE 'has ' END || privilege || ' on recruiting.' || relation
          FROM unnest($1::text[], $2::text[], $3::boolean[]) AS r (relation, privilege, wanted)
         WHERE has_any_column_privilege(to_regclass('recruiting.' || relation)::oid, privilege) <> wanted
         ORDER BY wanted DESC, relation LIMIT 1)
)sql";

std::vector<std::string> others_than(service_role const& role) {
    std::vector<std::string> out{"recruiting_owner"};
    for (auto const* one : {&auth_role, &public_role})
        if (one->name != role.name) out.emplace_back(one->name);
    return out;
}

// One statement, whatever their number. It counts the results, so that PostgreSQL evaluates each of them.
constexpr std::string_view set_parameters =
    "SELECT count(set_config(name, value, false)) FROM unnest($1::text[], $2::text[]) AS p (name, value)";

} // namespace

bool session_check::is_shared(void const* connection, backend const& seen) const {
    return std::any_of(backends_.begin(), backends_.end(), [&](auto const& known) {
        return known.first == connection ? known.second != seen : known.second == seen;
    });
}

void session_check::note_shared() {
    if (!std::exchange(shared_, true)) log::error("pooler_changes_sessions", {{"message", sessions_change}});
}

void session_check::lost_statement() {
    std::lock_guard const lock(mutex_);
    note_shared();
}

bool session_check::admit(void const* connection, backend const& seen, bool direct) {
    if (direct) return true;
    std::lock_guard const lock(mutex_);
    if (is_shared(connection, seen)) note_shared();
    bool const is_first = backends_.insert_or_assign(connection, seen).second;
    return !shared_ && !is_first;
}

void session_check::forget(void const* connection) {
    std::lock_guard const lock(mutex_);
    backends_.erase(connection);
    if (backends_.empty()) shared_ = false;
}

std::string session_check::fault() const {
    std::lock_guard const lock(mutex_);
    return shared_ ? std::string(sessions_change) : std::string();
}

int newest_migration() noexcept { return needed; }

statement schema_gate::who() const {
    return {std::string(select_who), params{}.text(role_.name).text_array(others_than(role_))};
}

statement schema_gate::version() const {
    std::vector<std::string> relations;
    std::vector<std::string> privileges;
    std::vector<std::string> wanted;
    auto const add = [&](std::span<relation_right const> rights, char const* are_wanted) {
        for (auto const& one : rights) {
            relations.emplace_back(one.relation);
            privileges.emplace_back(one.privilege);
            wanted.emplace_back(are_wanted);
        }
    };
    add(role_.own, "t");
    add(role_.foreign, "f");
    return {std::string(select_version), params{}.text_array(relations).text_array(privileges).text_array(wanted)};
}

bool schema_gate::admit(rows const& who, std::optional<rows> const& version, std::string_view why) {
    if (!admit_role(role_fault_of(who, version, why))) return false;
    return admit_version(version ? static_cast<int>(version->integer(0, 0)) : not_readable);
}

std::string schema_gate::role_fault_of(rows const& who, std::optional<rows> const& version,
                                       std::string_view why) const {
    auto row = who[0].from(2);
    auto const user = std::string(row.text());
    bool const is_of_role = row.boolean();
    auto const more = row.optional_text();
    auto const says = [&user](std::string const& what) { return "database role " + user + ' ' + what; };
    auto const name = std::string(role_.name);
    if (!is_of_role) return says("is not " + name + ": correct the user in the database URL");
    if (more == user) return says("gets past row-level security: the program needs " + name + " without that right");
    if (more) return says("may act as " + std::string(*more) + ": the program needs " + name + " without that right");
    constexpr char const* as_granted = ": grant and revoke what the migrations do";
    if (!version)
        return why == not_permitted ? says(std::string("may not use the schema") + as_granted) : std::string();
    if (version->is_null(0, 1)) return {};
    return says(std::string(version->text(0, 1)) + as_granted);
}

bool schema_gate::admit_role(std::string fault) {
    std::lock_guard const lock(mutex_);
    if (fault != role_fault_) {
        if (fault.empty()) log::info("database_role_right", {{"role", role_.name}});
        else log::error("database_role_wrong", {{"message", fault}});
        role_fault_ = std::move(fault);
    }
    return role_fault_.empty();
}

bool schema_gate::admit_version(int version) {
    auto const before = seen_.exchange(version);
    bool const right = version >= needed;
    if (before == version) return right;
    if (!right) log::warning("schema_too_old", {{"message", fault()}});
    else if (before != not_asked && before < needed)
        log::info("schema_new_enough", {{"version", version}, {"needed", needed}});
    return right;
}

backend schema_gate::backend_of(rows const& who) { return {who.integer(0, 0), who.integer(0, 1)}; }

std::string schema_gate::fault() const {
    if (auto why = sessions_.fault(); !why.empty()) return why;
    {
        std::lock_guard const lock(mutex_);
        if (!role_fault_.empty()) return role_fault_;
    }
    auto const seen = seen_.load();
    if (seen == not_asked || seen >= needed) return {};
    auto const is_at = seen == not_readable ? "is missing" : "is at " + std::to_string(seen);
    return "schema " + is_at + ", needs " + std::to_string(needed) + ": run recruitctl migrate";
}

bool is_about_schema(std::string_view sqlstate) noexcept {
    return sqlstate.starts_with("42") || sqlstate.starts_with("3F");
}

std::vector<std::pair<std::string, std::string>> parse_options(std::string_view options) {
    std::vector<std::pair<std::string, std::string>> out;
    bool follows = false; // a parameter, after -c
    for (auto const word : split(options, ' ')) {
        if (word.empty()) continue;
        auto const equals = word.find('=');
        if (follows != (word != "-c") || (follows && equals == word.npos))
            throw std::logic_error("session options must be -c name=value");
        if (follows) out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
        follows = !follows;
    }
    if (follows) throw std::logic_error("session options must be -c name=value");
    return out;
}

statement set_session(std::string_view options) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (auto& [name, value] : parse_options(options)) {
        names.push_back(name);
        values.push_back(value);
    }
    return {std::string(set_parameters), params{}.text_array(names).text_array(values)};
}

} // namespace recruiting::pg
