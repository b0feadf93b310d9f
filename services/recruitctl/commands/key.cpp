// key create, list, revoke. A secret is printed once, by create, and nowhere else.
#include "auth/pepper.hpp"
#include "core/text.hpp"
#include "directory/api_keys.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/pepper.hpp"
#include "recruitctl/commands/restore.hpp"
#include "recruitctl/output.hpp"

#include <map>
#include <ostream>

namespace recruiting::recruitctl {

namespace {

directory::key_settings installation_of(invocation const& call) {
    directory::key_settings installation;
    installation.pepper = pepper_of(call);
    auto const here = parse_environment(call.setting("RECRUITING_ENVIRONMENT").value_or("test"));
    if (!here) throw usage_error("RECRUITING_ENVIRONMENT must be live or test");
    installation.here = *here;
    if (auto const most = call.setting("RECRUITING_KEYS_PER_MEMBER"))
        installation.per_member = parse_number<std::int64_t>(*most).value(); // checked when the program began
    return installation;
}
boost::json::object to_json(directory::api_key const& k) {
    auto const pepper = k.pepper_fingerprint ? boost::json::value(show_fingerprint(*k.pepper_fingerprint))
                                             : boost::json::value(nullptr);
    return {{"id", to_string(k.id)},
            {"name", k.name},
            {"displayedPrefix", k.displayed_prefix},
            {"environment", k.environment},
            {"owner", k.owner_email},
            {"scopes", json_list(k.scopes)},
            {"allowedIps", json_list(k.allowed_ips)},
            {"state", directory::state_of(k, system_time().now())},
            {"expiresAt", format_time(k.expires_at)},
            {"revokedAt", json_time(k.revoked_at)},
            {"lastUsedAt", json_time(k.last_used_at)},
            {"lastUsedIp", json_text(k.last_used_ip)},
            {"createdAt", format_time(k.created_at)},
            {"pepperFingerprint", pepper}};
}

// Scopes beyond the role are accepted, because the role may be raised later. The note says why they have no effect yet.
void warn_of_idle_scopes(invocation& call, directory::api_key const& key) {
    auto const idle = expand(key.scopes) & ~role_allows(key.owner_role);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i)
        if (idle.test(i)) names.emplace_back(scope_catalogue[i].name);
    if (!names.empty())
        call.err << "note: the owner's role, " << to_string(key.owner_role) << ", does not allow " << joined(names)
                 << '\n';
}

// Made all the same: while the pepper is rotated, auth-api accepts both.
void warn_of_other_pepper(invocation& call, directory::key_settings const& installation) {
    auto const facts = select_pepper_facts(call.database());
    if (facts.lacks(pepper_fingerprint(installation.pepper)))
        call.err
            << "note: the other keys have another pepper than RECRUITING_KEY_PEPPER_FILE (recruitctl key pepper)\n";
}

void print_created(invocation& call, directory::created_api_key const& made) {
    auto const& k = made.key;
    auto const& slug = call.get("--organization");
    if (call.json())
        return print_json(call.out, {{"id", to_string(k.id)},
                                     {"secret", made.secret},
                                     {"displayedPrefix", k.displayed_prefix},
                                     {"name", k.name},
                                     {"organization", slug},
                                     {"owner", k.owner_email},
                                     {"environment", k.environment},
                                     {"scopes", json_list(k.scopes)},
                                     {"allowedIps", json_list(k.allowed_ips)},
                                     {"expiresAt", format_time(k.expires_at)},
                                     {"createdAt", format_time(k.created_at)}});
    print_table(call.out, {{"secret", made.secret},
                           {"key ID", to_string(k.id)},
                           {"name", k.name},
                           {"organization", slug},
                           {"owner", k.owner_email},
                           {"scopes", joined(k.scopes)},
                           {"allowed from", k.allowed_ips.empty() ? "anywhere" : joined(k.allowed_ips)},
                           {"expires", format_time(k.expires_at)}});
    call.err << "Keep the secret now: it is shown only this once and can't be recovered.\n";
}

void set_expiry(directory::new_api_key& wanted, invocation const& call) {
    if (call.has("--expires-in") == call.has("--expires-at"))
        throw usage_error("give either --expires-in or --expires-at");
    if (call.has("--expires-at")) {
        wanted.expires_at = parse_time(call.get("--expires-at"));
        if (!wanted.expires_at) throw usage_error("--expires-at must be a time in UTC such as 2027-01-31T12:00:00Z");
        return;
    }
    auto const lifetime = parse_duration(call.get("--expires-in"));
    if (!lifetime) throw usage_error("--expires-in must be a duration such as 12h or 90d");
    wanted.lifetime = *lifetime;
}

int create_key(invocation& call) {
    directory::new_api_key wanted;
    wanted.owner_email = call.get("--owner");
    wanted.name = call.get("--name");
    wanted.scopes = call.list("--scope");
    wanted.allowed_ips = call.list("--allow-ip");
    set_expiry(wanted, call);
    auto const installation = installation_of(call);
    auto const made =
        or_fail(directory::create_api_key(call.database(), call.get("--organization"), wanted, installation));
    print_created(call, made);
    warn_of_idle_scopes(call, made.key);
    warn_of_other_pepper(call, installation);
    return done;
}

int list_key(invocation& call) {
    auto const owner = call.find("--owner");
    auto keys =
        or_fail(directory::list_api_keys(call.database(), call.get("--organization"), call.has("--all"), owner));
    if (call.has("--unmoved")) {
        auto const moved = select_pepper_facts(call.database()).fingerprint;
        std::erase_if(keys, [&](directory::api_key const& k) { return k.pepper_fingerprint == moved; });
    }
    auto const now = system_time().now();
    auto const cells = [&](directory::api_key const& k) -> std::vector<std::string> {
        return {k.name,         k.displayed_prefix + "…", std::string(directory::state_of(k, now)),
                k.owner_email,  joined(k.scopes),         format_time(k.expires_at),
                to_string(k.id)};
    };
    return print_list(
        call, {"name", "begins with", "state", "owner", "scopes", "expires", "key ID"}, keys,
        [](auto const& k) { return to_json(k); }, cells);
}

directory::key_selector key_named_by(invocation const& call) {
    if (call.has("--id") == call.has("--name")) throw usage_error("give either --id or --name");
    if (call.has("--name")) return call.get("--name");
    auto const id = parse_id(call.get("--id"));
    if (!id) throw usage_error("--id must be a key ID: 32 hexadecimal characters");
    return *id;
}

// Why doctor still warns of a restore: the file may lack what was revoked in some organization, or since an earlier
// restore. Empty: doctor does not warn.
std::string_view why_not_confirmed(pg::client& client, identity_facts const& database, kept_revocations const& file) {
    if (!is_another(database)) return {};
    if (!erasure::select_restored(client, file.erasures).empty())
        return "what was erased is back: run `recruitctl candidate erase --from` with this file, then this command "
               "again";
    if (!file.all_taken_at) return "the file names the revoked keys of single organizations only";
    if (*file.all_taken_at <= database.confirmed_at)
        return "the file was written before this database was last confirmed, and does not cover the time since";
    return {};
}

// After a restore: keys that were revoked since the backup work again.
int revoke_from(invocation& call) {
    for (auto const* const other : {"--organization", "--id", "--name"})
        if (call.has(other)) throw usage_error("give either --from or " + std::string(other));
    auto const kept = read_revocations_file(call.get("--from"));
    std::map<directory::replay, std::int64_t> counts;
    boost::json::array revoked;
    for (auto const& [id, revocation] : kept.keys) {
        auto const outcome = directory::replay_revocation(call.database(), revocation.organization_id, id);
        ++counts[outcome];
        if (outcome != directory::replay::revoked) continue;
        revoked.push_back({{"id", to_string(id)},
                           {"organizationId", to_string(revocation.organization_id)},
                           {"revokedAt", format_time(revocation.revoked_at)}});
        if (!call.json())
            call.out << "key " << to_string(id) << " revoked again; it was revoked at "
                     << format_time(revocation.revoked_at) << '\n';
    }
    auto const database = select_identity(call.database());
    auto const unconfirmed = why_not_confirmed(call.database(), database, kept);
    bool const confirmed = is_another(database) && unconfirmed.empty();
    if (confirmed) confirm_identity(call.database());
    auto const already = counts[directory::replay::already];
    auto const absent = counts[directory::replay::absent];
    if (call.json())
        print_json(call.out, {{"takenAt", json_time(kept.taken_at)},
                              {"revoked", std::move(revoked)},
                              {"alreadyRevoked", already},
                              {"notInThisDatabase", absent},
                              {"confirmed", confirmed},
                              {"unconfirmedReason",
                               unconfirmed.empty() ? boost::json::value(nullptr) : boost::json::value(unconfirmed)}});
    else
        call.out << counts[directory::replay::revoked] << " revoked, " << already << " were revoked already, " << absent
                 << " are not in this database; the file knows revocations up to " << shown_time(kept.taken_at) << '\n';
    if (!unconfirmed.empty())
        call.err << "doctor still warns that the database was restored, upgraded or promoted: " << unconfirmed << ". "
                 << "Replay the newest document of all organizations, or run `recruitctl restore dismiss`\n";
    return done;
}

int revoke_key(invocation& call) {
    if (call.has("--from")) return revoke_from(call);
    if (!call.has("--organization")) throw usage_error("--organization SLUG is missing");
    auto const which = key_named_by(call);
    auto const outcome = or_fail(directory::revoke_api_key(call.database(), call.get("--organization"), which));
    auto const& k = outcome.key;
    if (call.json()) {
        auto document = to_json(k);
        document["changed"] = !outcome.already;
        print_json(call.out, document);
        return done;
    }
    call.out << "key \"" << k.name << "\" (" << to_string(k.id) << ')';
    if (outcome.already && !k.revoked_at) call.out << " expired at " << format_time(k.expires_at) << '\n';
    else
        call.out << (outcome.already ? " was revoked already, at " : " revoked at ") << shown_time(k.revoked_at)
                 << '\n';
    return done;
}

} // namespace

std::vector<command> key_commands() {
    option const organization{"--organization", "SLUG", "organization slug", true};
    std::string scopes = "Scopes:";
    for (auto const& scope : scope_catalogue)
        scopes += "\n  " + std::string(scope.name) + std::string(20 - scope.name.size(), ' ') +
                  std::string(scope.description);
    scopes +=
        "\nWildcards: * (all), <resource>:* and *:<action>. A scope never gives more than the owner's role allows.";
    return {
        {"key create",
         "Create an API key and print its secret. The secret is not shown again.",
         {organization,
          {"--owner", "E-MAIL", "the member the key acts as: admin, recruiter or hiring_manager", true},
          {"--name", "NAME", "display name: 1 to 120 characters, unique among active keys", true},
          {"--scope", "SCOPE", "granted scopes", true, true},
          {"--expires-in", "DURATION", "lifetime such as 12h or 90d: 1 hour to 366 days (this or --expires-at)"},
          {"--expires-at", "TIME", "expiry in UTC, ISO 8601: 2027-01-31T12:00:00Z, 1 hour to 366 days ahead"},
          {"--allow-ip", "CIDR", "client addresses the key may be used from (any)", false, true}},
         create_key,
         scopes},
        {"key list",
         "List the API keys, newest first.",
         {organization,
          {"--all", "", "include revoked keys"},
          {"--owner", "E-MAIL", "only keys of this member"},
          {"--unmoved", "", "only keys that have not moved to the database's pepper"}},
         list_key},
        {"key revoke",
         "Revoke an API key. It stops working at its next request.",
         {{"--organization", "SLUG", "organization slug; not with --from"},
          {"--id", "ID", "key ID"},
          {"--name", "NAME", "exact name"},
          {"--from", "FILE",
           "after a restore: revoke every key that an `audit head --json` document lists as revoked"}},
         revoke_key,
         R"(--from revokes the keys that the file lists, in all organizations. It also dismisses the doctor warning of a
restored database, if one of the file's documents covers all organizations and was written after the database was
last confirmed, and what it lists as erased is erased. Otherwise it reports why not; `restore dismiss` then dismisses the warning. Keys that the backup does
not contain are counted; they do not work. Running it again is harmless.)"},
        pepper_command(),
    };
}

} // namespace recruiting::recruitctl
