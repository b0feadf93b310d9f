#include "audit_heads_file.hpp"

#include "audit/verify_store.hpp"
#include "command.hpp"
#include "core/text.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace recruiting::recruitctl {
namespace {

using head = std::pair<uuid, audit::kept_head>;

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

std::optional<head> head_of(boost::json::value const& from, pg::client& database) {
    if (!from.is_object()) return std::nullopt;
    auto const& fields = from.get_object();
    auto const organization = organization_of(fields, database);
    auto const hash = hash_of(fields);
    auto const* const sequence = fields.if_contains("sequence");
    if (!organization || !hash || sequence == nullptr || !sequence->is_int64() || sequence->get_int64() < 1)
        return std::nullopt;
    auto const occurred_at = text_of(fields, "occurredAt");
    return head{*organization, {{sequence->get_int64(), *hash}, occurred_at ? parse_time(*occurred_at) : std::nullopt}};
}

// One head, or {"data": […]}. False: it is neither.
bool add_document(std::string const& text, pg::client& database, std::vector<head>& heads) {
    boost::system::error_code error;
    auto const document = boost::json::parse(text, error);
    if (error || !document.is_object()) return false;
    auto const* const data = document.get_object().if_contains("data");
    if (data != nullptr && !data->is_array()) return false;
    auto const entries = data != nullptr ? data->get_array() : boost::json::array(1, document);
    for (auto const& entry : entries) {
        auto const found = head_of(entry, database);
        if (!found) return false;
        heads.push_back(*found);
    }
    return true;
}

} // namespace

std::vector<head> read_heads_file(std::string const& path, pg::client& database) {
    std::ifstream in(path, std::ios::binary);
    std::string const all(std::istreambuf_iterator<char>(in), {});
    if (!in) throw failure("can't read " + path);
    std::vector<head> heads;
    if (add_document(all, database, heads)) return heads; // however it is laid out
    heads.clear();
    int number = 0;
    for (auto const line : split(all, '\n')) {
        ++number;
        if (trim(line).empty()) continue;
        if (!add_document(std::string(line), database, heads))
            throw failure(path + ", line " + std::to_string(number) + ": not what audit head --json prints");
    }
    if (heads.empty()) throw failure(path + " holds no heads");
    return heads;
}

} // namespace recruiting::recruitctl
