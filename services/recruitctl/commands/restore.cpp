// restore dismiss: ends doctor's warning of a restore. (key revoke --from does so when it has revoked what was
// missing.)
#include "recruitctl/commands/restore.hpp"

#include "audit/verify.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

// name_released: not revoked, but expired, and its name is another key's.
constexpr std::string_view revoked_sql = R"(
SELECT id, organization_id, revoked_at FROM recruiting.api_keys
WHERE revoked_at IS NOT NULL AND NOT name_released AND expires_at > clock_timestamp()
  AND ($1::uuid IS NULL OR organization_id = $1)
ORDER BY id)";

constexpr std::string_view identity_sql = R"(
SELECT i.database_oid <> c.database_oid OR i.table_oid <> c.table_oid,
       (i.database_oid, i.table_oid) = (c.database_oid, c.table_oid)
           AND coalesce(i.system_identifier <> c.system_identifier, false),
       i.timeline, c.timeline, i.confirmed_at,
       i.system_identifier IS NOT NULL AND i.timeline IS NOT NULL,
       c.system_identifier IS NOT NULL AND c.timeline IS NOT NULL
FROM recruiting.database_identity i, recruiting.current_database_identity() c)";

constexpr std::string_view confirm_sql = R"(
UPDATE recruiting.database_identity
   SET (system_identifier, timeline, database_oid, table_oid)
       = (SELECT c.system_identifier, c.timeline, c.database_oid, c.table_oid
            FROM recruiting.current_database_identity() c),
       confirmed_at = clock_timestamp())";

} // namespace

std::vector<revoked_key> select_revoked_keys(pg::client& database, std::optional<uuid> const& of) {
    auto const found = database.run(revoked_sql, pg::params{}.optional_id(of));
    std::vector<revoked_key> out;
    for (auto row : found) out.push_back({row.id(), row.id(), row.time()});
    return out;
}

identity_facts select_identity(pg::client& database) {
    auto const found = database.run(identity_sql);
    if (found.empty()) throw std::logic_error("recruiting.database_identity has lost its row");
    identity_facts out;
    found[0].read(out.restored, out.upgraded, out.confirmed_timeline, out.timeline, out.confirmed_at, out.was_known,
                  out.known);
    return out;
}

bool is_another(identity_facts const& of) noexcept {
    return of.restored || of.upgraded ||
           (of.timeline && of.confirmed_timeline && *of.timeline != *of.confirmed_timeline);
}

void confirm_identity(pg::client& database) { database.run(confirm_sql); }

namespace {

using read_head = std::pair<uuid, audit::kept_head>;

std::optional<std::string> text_of(boost::json::object const& from, char const* name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

std::optional<digest> hash_of(boost::json::object const& from) {
    auto const bytes = from_hex(text_of(from, "hash").value_or(""));
    digest hash;
    if (!bytes || bytes->size() != hash.size()) return std::nullopt;
    std::transform(bytes->begin(), bytes->end(), hash.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
    return hash;
}

std::optional<read_head> head_of(boost::json::value const& from) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const organization = parse_id(text_of(fields, "organizationId").value_or(""));
    auto const hash = hash_of(fields);
    auto const* const sequence = fields.if_contains("sequence");
    if (!organization || !hash || sequence == nullptr || !sequence->is_int64() || sequence->get_int64() < 0)
        return std::nullopt;
    auto const occurred_at = text_of(fields, "occurredAt");
    return read_head{*organization,
                     {{sequence->get_int64(), *hash}, occurred_at ? parse_time(*occurred_at) : std::nullopt}};
}

// One head, or {"data": […]}. False: it is neither.
bool add_heads(boost::json::object const& document, std::vector<read_head>& heads) {
    auto const* const data = document.if_contains("data");
    if (data != nullptr && !data->is_array()) return false;
    auto const entries = data != nullptr ? data->get_array() : boost::json::array(1, document);
    for (auto const& entry : entries) {
        auto const found = head_of(entry);
        if (!found) return false;
        heads.push_back(*found);
    }
    return true;
}

std::optional<revoked_key> revocation_of(boost::json::value const& from) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const key = parse_id(text_of(fields, "id").value_or(""));
    auto const organization = parse_id(text_of(fields, "organizationId").value_or(""));
    auto const revoked_at = parse_time(text_of(fields, "revokedAt").value_or(""));
    if (!key || !organization || !revoked_at) return std::nullopt;
    return revoked_key{*key, *organization, *revoked_at};
}

std::optional<erasure::erased_subject> erasure_of(boost::json::value const& from) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const subject = parse_id(text_of(fields, "id").value_or(""));
    auto const organization = parse_id(text_of(fields, "organizationId").value_or(""));
    auto const erased_at = parse_time(text_of(fields, "erasedAt").value_or(""));
    auto const* const kept = fields.if_contains("keptSessions");
    if (!subject || !organization || !erased_at || kept == nullptr || !kept->is_array()) return std::nullopt;
    erasure::erased_subject out{*subject, *organization, *erased_at, {}};
    for (auto const& session : kept->get_array()) {
        auto const id = session.is_string() ? parse_id(session.get_string()) : std::nullopt;
        if (!id) return std::nullopt;
        out.kept_sessions.push_back(*id);
    }
    return out;
}

// False: it is no such document.
bool add_revocations(boost::json::object const& document, kept_revocations& into) {
    auto const* const keys = document.if_contains("revokedKeys");
    auto const taken_at = parse_time(text_of(document, "takenAt").value_or(""));
    if (keys == nullptr || !keys->is_array() || !taken_at) return false;
    into.taken_at = std::max(into.taken_at.value_or(*taken_at), *taken_at);
    if (document.contains("data")) into.all_taken_at = std::max(into.all_taken_at.value_or(*taken_at), *taken_at);
    for (auto const& entry : keys->get_array()) {
        auto const found = revocation_of(entry);
        if (!found) return false;
        into.keys.emplace(found->id, *found);
    }
    auto const* const erasures = document.if_contains("erasures");
    if (erasures == nullptr || !erasures->is_array()) return false;
    for (auto const& entry : erasures->get_array()) {
        auto found = erasure_of(entry);
        if (!found) return false;
        into.erasures.insert_or_assign(found->subject_id, std::move(*found));
    }
    return true;
}

using take_document = std::function<bool(boost::json::object const&)>;

bool take_text(std::string_view text, take_document const& take) {
    boost::system::error_code error;
    auto const document = boost::json::parse(boost::json::string_view(text.data(), text.size()), error);
    return !error && document.is_object() && take(document.get_object());
}

// One document, however it is laid out, or a document a line.
void read_documents(std::string const& path, take_document const& take) {
    std::ifstream in(path, std::ios::binary);
    std::string const all(std::istreambuf_iterator<char>(in), {});
    if (!in) throw failure("can't read " + path);
    if (take_text(all, take)) return;
    int number = 0;
    for (auto const line : split(all, '\n')) {
        ++number;
        if (!trim(line).empty() && !take_text(line, take))
            throw failure(path + ", line " + std::to_string(number) + ": not the output of audit head --json");
    }
}

} // namespace

std::vector<read_head> read_heads_file(std::string const& path) {
    std::vector<read_head> heads;
    read_documents(path, [&](boost::json::object const& document) { return add_heads(document, heads); });
    if (heads.empty()) throw failure(path + " holds no heads");
    return heads;
}

kept_revocations read_revocations_file(std::string const& path) {
    kept_revocations out;
    read_documents(path, [&](boost::json::object const& document) { return add_revocations(document, out); });
    if (!out.taken_at) throw failure(path + " is empty");
    return out;
}

namespace {

int dismiss(invocation& call) {
    auto const before = select_identity(call.database());
    confirm_identity(call.database());
    auto const after = select_identity(call.database());
    bool const changed = is_another(before) || (before.known && !before.was_known);
    if (call.json()) print_json(call.out, {{"dismissed", changed}, {"confirmedAt", json_time(after.confirmed_at)}});
    else
        call.out << (changed ? "dismissed: doctor no longer warns of it\n"
                             : "there was no restore, upgrade or promotion to dismiss\n");
    return done;
}

} // namespace

std::vector<command> restore_commands() {
    return {{"restore dismiss",
             "Dismiss the doctor warning that this database was restored, upgraded or promoted.",
             {},
             dismiss,
             "For when no key was revoked and nothing erased since the backup, or nothing was lost in a failover or an "
             "upgrade.\n"
             "Otherwise `candidate erase --from FILE` and `key revoke --from FILE` repeat what the restore undid. The "
             "latter "
             "ends\nthe warning too."}};
}

} // namespace recruiting::recruitctl
