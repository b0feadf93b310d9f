#include "auth_api/http/list_query.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::auth_api {
namespace {

// The first of the signed parts, so that no other kind of token is read as one.
constexpr std::string_view cursor_kind = "c1";
constexpr std::string_view sync_kind = "s1";

std::string fingerprint_of(list_query const& list) {
    auto const text = std::string(list.shape->route) + '\x1e' + std::string(list.sort->name) +
                      (list.descending ? "-" : "+") + list.filters;
    return to_hex(bytes_of(sha256(text)).substr(0, 8));
}

// What a sync token goes with: the list, and the record whose list it is.
std::string sync_name_of(list_query const& list) {
    return std::string(list.shape->route) + (list.parent ? " " + to_string(*list.parent) : std::string());
}

// A caller who sees the same records of the list, and the same of each, may continue with the token. A copy made under
// another role or on another hiring team's jobs has records that no later round would take back.
std::string audience_of(list_query const& list, auth::principal const& principal) {
    auto const& shape = *list.shape;
    std::string out = to_string(principal.organization_id);
    if (shape.depends_on_caller)
        out += principal.role == role::admin || principal.role == role::recruiter
                   ? " all"
                   : " " + to_string(principal.member_id);
    if (!list.parts.empty()) out.append(" ").append(list.parts);
    if (list.inclusion == nullptr) return out;
    out.append(" ").append(list.inclusion->name);
    if (!principal.effective.test(*scope_index(list.inclusion->visible))) out.append(" less");
    return out;
}

api_error start_over(std::string_view why) {
    return invalid_request({{"query", "syncToken", "sync_token_expired",
                             std::string(why) + " Start over with an empty syncToken, and replace the copy."}});
}

} // namespace

void read_cursor(list_query& list, std::string const& cursor, bind_input& in) {
    auto const parts = in.signer.verify(cursor);
    if (!parts || parts->size() != 4 || (*parts)[0] != cursor_kind)
        return in.query.problem("cursor", "bad_cursor", "This cursor was not issued by this API.");
    if ((*parts)[1] != fingerprint_of(list))
        return in.query.problem("cursor", "cursor_mismatch",
                                "This cursor was issued for another list, sort or filters.");
    list.after = {(*parts)[2], (*parts)[3]};
}

std::string sign_cursor(list_query const& list, list_position const& at, http::token_signer const& signer) {
    return signer.sign({std::string(cursor_kind), fingerprint_of(list), at.sort, at.id});
}

void read_sync_token(list_query& list, std::string const& token, bind_input& in) {
    auto const parts = in.signer.verify(token);
    if (!parts || parts->size() != 10 || (*parts)[0] != sync_kind || (*parts)[1] != sync_name_of(list))
        return in.query.problem("syncToken", "bad_token", "This token was not issued by this endpoint.");
    auto const& part = *parts;
    list.sync = sync_request{{part[4], part[5], part[6], part[7], part[8], part[9]}, part[2], part[3]};
}

std::string sign_sync_token(list_query const& list, sync_position const& next, std::string_view line,
                            render_context const& context) {
    return context.signer.sign({std::string(sync_kind), sync_name_of(list), audience_of(list, context.principal),
                                std::string(line), next.from, next.since, next.upper, next.until, next.after_xid,
                                next.after_id});
}

result<void> check_sync_token(list_query const& list, std::string_view line, auth::principal const& principal) {
    if (list.sync->audience.empty()) return {};
    if (list.sync->audience != audience_of(list, principal))
        return start_over("This token was issued for another member, role or include.");
    if (list.sync->line != line)
        return start_over("This token was issued before the database was restored or failed over.");
    return {};
}

} // namespace recruiting::auth_api
