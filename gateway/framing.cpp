#include "gateway/framing.hpp"

#include "core/text.hpp"

namespace recruiting::gateway {
namespace {

using kind = framing::kind;

std::optional<std::uint64_t> content_length(head_fields const& fields) noexcept {
    auto const text = fields.value(field_id::content_length);
    if (fields.count(field_id::content_length) != 1 || text.empty() || text.size() > 18) return std::nullopt;
    return text.find_first_not_of("0123456789") == std::string_view::npos ? parse_number<std::uint64_t>(text)
                                                                          : std::nullopt;
}

// The kinds that both directions share; nullopt: broken. `neither` is what no field at all means.
std::optional<framing> framing_of(head_fields const& fields, int minor_version, framing neither) noexcept {
    bool const has_length = fields.has(field_id::content_length);
    if (fields.has(field_id::transfer_encoding)) {
        if (has_length || minor_version == 0 || fields.count(field_id::transfer_encoding) != 1) return std::nullopt;
        if (!iequals(fields.value(field_id::transfer_encoding), "chunked")) return std::nullopt;
        return framing{kind::chunked, 0};
    }
    if (!has_length) return neither;
    auto const length = content_length(fields);
    if (!length) return std::nullopt;
    return *length == 0 ? framing{kind::none, 0} : framing{kind::length, *length};
}

// Fields without which a message means something else.
bool is_essential(field_id id) noexcept {
    switch (id) {
    case field_id::authorization:
    case field_id::content_length:
    case field_id::cookie:
    case field_id::host:
    case field_id::idempotency_key:
    case field_id::transfer_encoding: return true;
    default: return false;
    }
}

void drop_named(head_fields& fields, std::string_view name) noexcept {
    for (auto& one : fields.list)
        if (iequals(one.name, name)) one.dropped = true;
}

} // namespace

std::optional<framing> request_framing(request_head const& head) noexcept {
    return framing_of(head.fields, head.minor_version, {});
}

std::optional<framing> response_framing(response_head const& head, bool to_head) noexcept {
    auto const found = framing_of(head.fields, head.minor_version, {kind::until_close, 0});
    bool const bodiless = to_head || head.status < 200 || head.status == 204 || head.status == 304;
    return found && bodiless ? framing{} : found;
}

connection_options read_connection(head_fields& fields) {
    connection_options out;
    if (!fields.has(field_id::connection)) return out;
    for (auto const& one : fields.list) {
        if (one.id != field_id::connection) continue;
        for (auto rest = one.value; !rest.empty();) {
            auto const comma = rest.find(',');
            auto const name = trim(rest.substr(0, comma));
            rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
            if (name.empty()) continue;
            if (iequals(name, "close")) out.close = true;
            else if (iequals(name, "keep-alive")) out.keep_alive = true;
            else if (!is_token(name) || is_essential(identify(name))) out.refused = true;
            else drop_named(fields, name);
        }
    }
    return out;
}

} // namespace recruiting::gateway
