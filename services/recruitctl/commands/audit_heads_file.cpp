#include "recruitctl/commands/audit_heads_file.hpp"

#include "audit/verify_store.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

namespace recruiting::recruitctl {
namespace {

using read_head = std::pair<uuid, audit::kept_head>;

std::optional<std::string> text_of(boost::json::object const& from, char const* name) {
    auto const* const value = from.if_contains(name);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

// By id where it is given: an organization may have another slug by now.
std::optional<uuid> organization_of(boost::json::object const& from, pg::client& database) {
    if (auto const id = text_of(from, "organizationId")) return parse_id(*id);
    auto const slug = text_of(from, "organization");
    return slug ? audit::organization_by_slug(database, *slug) : std::nullopt;
}

std::optional<digest> hash_of(boost::json::object const& from) {
    auto const bytes = from_hex(text_of(from, "hash").value_or(""));
    digest hash;
    if (!bytes || bytes->size() != hash.size()) return std::nullopt;
    std::transform(bytes->begin(), bytes->end(), hash.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
    return hash;
}

std::optional<read_head> head_of(boost::json::value const& from, pg::client& database) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const organization = organization_of(fields, database);
    auto const hash = hash_of(fields);
    auto const* const sequence = fields.if_contains("sequence");
    if (!organization || !hash || sequence == nullptr || !sequence->is_int64() || sequence->get_int64() < 0)
        return std::nullopt;
    auto const occurred_at = text_of(fields, "occurredAt");
    return read_head{*organization,
                     {{sequence->get_int64(), *hash}, occurred_at ? parse_time(*occurred_at) : std::nullopt}};
}

// One head, or {"data": […]}. False: it is neither.
bool add_heads(boost::json::object const& document, pg::client& database, std::vector<read_head>& heads) {
    auto const* const data = document.if_contains("data");
    if (data != nullptr && !data->is_array()) return false;
    auto const entries = data != nullptr ? data->get_array() : boost::json::array(1, document);
    for (auto const& entry : entries) {
        auto const found = head_of(entry, database);
        if (!found) return false;
        heads.push_back(*found);
    }
    return true;
}

std::optional<kept_revocation> revocation_of(boost::json::value const& from) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const key = parse_id(text_of(fields, "id").value_or(""));
    auto const organization = parse_id(text_of(fields, "organizationId").value_or(""));
    auto const revoked_at = parse_time(text_of(fields, "revokedAt").value_or(""));
    if (!key || !organization || !revoked_at) return std::nullopt;
    return kept_revocation{*key, *organization, *revoked_at};
}

// A document of a version before has none, and no takenAt. False: it is no such document.
bool add_revocations(boost::json::object const& document, kept_revocations& into) {
    auto const* const keys = document.if_contains("revokedKeys");
    if (keys == nullptr) return document.contains("data") || document.contains("hash");
    auto const taken_at = parse_time(text_of(document, "takenAt").value_or(""));
    if (!keys->is_array() || !taken_at) return false;
    into.taken_at = std::max(into.taken_at.value_or(*taken_at), *taken_at);
    if (document.contains("data")) into.all_taken_at = std::max(into.all_taken_at.value_or(*taken_at), *taken_at);
    for (auto const& entry : keys->get_array()) {
        auto const found = revocation_of(entry);
        if (!found) return false;
        into.keys.emplace(found->key, *found);
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
    boost::system::error_code error;
    auto const whole = boost::json::parse(all, error);
    if (!error && whole.is_object() && take(whole.get_object())) return;
    int number = 0;
    for (auto const line : split(all, '\n')) {
        ++number;
        if (!trim(line).empty() && !take_text(line, take))
            throw failure(path + ", line " + std::to_string(number) + ": not what audit head --json prints");
    }
}

} // namespace

std::vector<read_head> read_heads_file(std::string const& path, pg::client& database) {
    std::vector<read_head> heads;
    read_documents(path, [&](boost::json::object const& document) { return add_heads(document, database, heads); });
    if (heads.empty()) throw failure(path + " holds no heads");
    return heads;
}

kept_revocations read_revocations_file(std::string const& path) {
    kept_revocations out;
    read_documents(path, [&](boost::json::object const& document) { return add_revocations(document, out); });
    if (!out.taken_at) throw failure(path + " names no revoked keys: recruitctl of a version before wrote it");
    return out;
}

} // namespace recruiting::recruitctl
