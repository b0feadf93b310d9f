#include "gateway/http1/framing.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

using kind = framing::kind;

std::optional<std::uint64_t> content_length(head_fields const& fields) noexcept {
    auto const text = fields.value(field_id::content_length);
    if (!fields.has_one(field_id::content_length) || text.empty() || text.size() > 18) return std::nullopt;
    if (text.front() == '0' && text.size() > 1) return std::nullopt; // octal to some
    return text.find_first_not_of("0123456789") == std::string_view::npos ? parse_number<std::uint64_t>(text)
                                                                          : std::nullopt;
}

// The kinds that both directions share; nullopt: broken. `neither` is what no field at all means.
std::optional<framing> framing_of(head_fields const& fields, int minor_version, framing neither) noexcept {
    bool const has_length = fields.has(field_id::content_length);
    if (fields.has(field_id::transfer_encoding)) {
        if (has_length || minor_version == 0 || !fields.has_one(field_id::transfer_encoding)) return std::nullopt;
        if (!iequals(fields.value(field_id::transfer_encoding), "chunked")) return std::nullopt;
        return framing{kind::chunked, 0};
    }
    if (!has_length) return neither;
    auto const length = content_length(fields);
    if (!length) return std::nullopt;
    return *length == 0 ? framing{kind::none, 0} : framing{kind::length, *length};
}

// Named by Connection, a field is for the next hop alone and left out. What the edge acts on can't be.
bool must_stay(field_id id) noexcept {
    bool const frames = id == field_id::transfer_encoding || id == field_id::connection;
    return frames || (id != field_id::other && !is_hop_by_hop(id));
}

void drop_named(head_fields& fields, std::string_view name) noexcept {
    for (auto& one : fields.list)
        if (iequals(one.name, name)) one.dropped = true;
}

} // namespace

std::optional<framing> request_framing(request_head const& head) noexcept {
    return framing_of(head.fields, head.minor_version, {});
}

bool has_unknown_coding(request_head const& head) noexcept {
    auto const& fields = head.fields;
    if (!fields.has_one(field_id::transfer_encoding) || fields.has(field_id::content_length)) return false;
    auto rest = fields.value(field_id::transfer_encoding);
    for (auto comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
        auto const coding = trim(rest.substr(0, std::min(comma, rest.find(';'))));
        if (!is_token(coding) || iequals(coding, "chunked")) return false;
        rest.remove_prefix(comma + 1);
    }
    return head.minor_version == 1 && iequals(trim(rest), "chunked");
}

std::optional<framing> response_framing(response_head const& head, bool to_head) noexcept {
    auto const found = framing_of(head.fields, head.minor_version, {kind::until_close, 0});
    bool const bodiless = to_head || head.status < 200 || head.status == 204 || head.status == 304;
    return found && bodiless ? framing{} : found;
}

connection_options read_connection(head_fields& fields) {
    constexpr unsigned most = 32; // each is looked for in all fields
    connection_options out;
    if (!fields.has(field_id::connection)) return out;
    unsigned names = 0;
    for (auto const& one : fields.list) {
        if (one.id != field_id::connection) continue;
        for (auto rest = one.value; !rest.empty();) {
            auto const comma = rest.find(',');
            auto const name = trim(rest.substr(0, comma));
            rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
            if (name.empty()) continue;
            if (iequals(name, "close")) out.close = true;
            else if (iequals(name, "keep-alive")) out.keep_alive = true;
            else if (++names > most || !is_token(name) || must_stay(identify(name))) out.refused = true;
            else drop_named(fields, name);
        }
    }
    return out;
}

} // namespace recruiting::gateway
