#include "directory/api_keys.hpp"

#include "auth/pepper.hpp"
#include "core/text.hpp"
#include "crypto/api_key_form.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"
#include "mail/address.hpp"

#include <algorithm>

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_key_name = 120;
constexpr std::chrono::milliseconds shortest_life = std::chrono::hours{1};
constexpr std::chrono::milliseconds longest_life = std::chrono::days{366};

problems check(new_api_key const& wanted, std::chrono::milliseconds lifetime) {
    problems found;
    found.check("name", wrong_text(wanted.name, longest_key_name));
    if (lifetime < shortest_life || lifetime > longest_life)
        found.check("expiresAt", "must be 1 hour to 366 days ahead");
    if (wanted.scopes.empty()) found.add("scopes", "missing", "at least one scope is required");
    for (auto const& scope : wanted.scopes)
        if (!is_valid_grant(scope)) found.add("scopes", "unknown_scope", "\"" + scope + "\" is not a scope");
    if (wanted.allowed_ips.size() > most_allowed_ips)
        found.check("allowedIps", "must be at most " + std::to_string(most_allowed_ips) + " blocks");
    for (auto const& block : wanted.allowed_ips) found.check("allowedIps", wrong_address_block(block));
    return found;
}

// A member's own key: what keeps them from having any is answered before what is wrong with this one.
std::optional<api_error> refuse_maker(new_api_key const& wanted, std::optional<member> const& owner) {
    if (!owner || owner->status != "active" || !may_own_keys(owner->held))
        return role_needed({role::admin, role::recruiter, role::hiring_manager});
    if (!wanted.owner_email.empty() &&
        mail::canonical_address(wanted.owner_email) != mail::canonical_address(owner->email))
        return refusal("owner", "not_allowed", "members can create API keys only for themselves");
    return std::nullopt;
}

void check_owner(problems& found, std::string_view slug, std::string const& email, std::optional<member> const& owner) {
    if (!owner || owner->status != "active")
        found.add("owner", "not_a_member", email + " is not a member of " + std::string(slug) + " now");
    else if (!may_own_keys(owner->held))
        found.add("owner", "insufficient_role",
                  "a member with the role " + std::string(to_string(owner->held)) + " can't have API keys");
}

std::vector<std::string> without_repeats(std::vector<std::string> const& values) {
    std::vector<std::string> kept;
    for (auto const& value : values)
        if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
    return kept;
}

} // namespace

std::string_view state_of(api_key const& key, timestamp now) noexcept {
    if (key.revoked_at) return "revoked";
    if (now >= key.expires_at) return "expired";
    return key.owner_active ? "active" : "inactive";
}

result<created_api_key> create_api_key(pg::client& database, std::string_view slug, new_api_key const& wanted,
                                       key_settings const& installation, actor const& by, time_source const& clock) {
    auto const now = clock.now();
    auto const expires_at = wanted.expires_at.value_or(now + wanted.lifetime);
    auto found = check(wanted, std::chrono::floor<std::chrono::milliseconds>(expires_at - now));
    pg::transaction transaction(database);
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    auto const whose = by.member_id ? member_selector(*by.member_id) : member_selector(wanted.owner_email);
    auto const owner = store::select_member(database, organization->id, whose);
    if (!by.member_id) check_owner(found, slug, wanted.owner_email, owner);
    else if (auto refused = refuse_maker(wanted, owner)) return *refused;
    if (!found.empty()) return found.error();
    if (store::lock_key_count(database, owner->id) >= installation.per_member)
        return refusal("owner", "too_many_keys",
                       "the member has " + std::to_string(installation.per_member) +
                           " keys that are neither revoked nor expired; revoke one first");

    auto secret = generate_secret(installation.here);
    api_key made;
    made.id = random_id();
    made.owner_id = owner->id;
    made.name = wanted.name;
    made.displayed_prefix = displayed_prefix(secret);
    made.environment = to_string(installation.here);
    made.scopes = without_repeats(wanted.scopes);
    made.allowed_ips = without_repeats(wanted.allowed_ips);
    made.expires_at = expires_at;
    made.pepper_fingerprint = pepper_fingerprint(installation.pepper);
    if (!store::insert_key(database, organization->id, made, hash_secret(installation.pepper, secret)))
        return refusal("name", "taken",
                       "a key that is neither revoked nor expired has the name \"" + wanted.name + "\" already");
    record_change(database, {organization->id, "key.created", "api_key", made.id}, by);
    auto key = store::lock_key(database, organization->id, made.id).value();
    transaction.commit();
    return created_api_key{std::move(key), std::move(secret)};
}

result<std::vector<api_key>> list_api_keys(pg::client& database, std::string_view slug, bool with_revoked,
                                           std::optional<std::string_view> const& owner) {
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    if (!owner) return store::select_keys(database, organization->id, with_revoked);
    auto const member = store::select_member(database, organization->id, *owner);
    if (!member) return absent(std::string(*owner) + " is not a member of " + std::string(slug));
    return store::select_keys(database, organization->id, with_revoked, member->id);
}

result<key_revocation> revoke_api_key(pg::client& database, std::string_view slug, key_selector const& which,
                                      actor const& by, std::optional<std::string_view> const& confirmed) {
    pg::transaction transaction(database);
    auto const organization = store::select_organization(database, slug);
    if (!organization) return no_organization(slug);
    auto const found = store::lock_key(database, organization->id, which);
    if (!found || !reaches_key(by, found->owner_id)) {
        auto const* const id = std::get_if<uuid>(&which);
        auto const wanted = id != nullptr ? "with the ID " + to_string(*id)
                                          : "named \"" + std::string(std::get<std::string_view>(which)) + "\"";
        return absent("there is no key " + wanted + " in " + std::string(slug));
    }
    if (confirmed && *confirmed != found->name) return refusal("name", "mismatch", "is not the name of this key");
    if (found->revoked_at) return key_revocation{*found, true};
    if (!store::revoke_key(database, organization->id, found->id, by)) return key_revocation{*found, true};
    auto revoked = store::lock_key(database, organization->id, found->id).value();
    transaction.commit();
    return key_revocation{std::move(revoked), false};
}

replay replay_revocation(pg::client& database, uuid const& organization_id, uuid const& key, actor const& by) {
    pg::transaction transaction(database);
    auto const found = store::lock_key(database, organization_id, key);
    if (!found) return replay::absent;
    if (found->revoked_at || !store::revoke_key(database, organization_id, key, by)) return replay::already;
    transaction.commit();
    return replay::revoked;
}

} // namespace recruiting::directory
