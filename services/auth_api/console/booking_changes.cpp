#include "auth_api/console/endpoints.hpp"
#include "auth_api/console/interview_store.hpp"
#include "auth_api/settings.hpp"
#include "core/text.hpp"
#include "interviews/bookings.hpp"

namespace recruiting::auth_api::console {
namespace {

result<interviews::booking_choice> chosen_booking(change_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return interviews::booking_choice{in.member.organization_id, *id};
}

// The booking as it is after the change.
result<http::response> booking_answer(change_input const& in, uuid const& id, result<void> const& done,
                                      unsigned status = 200) {
    if (!done) return done.error();
    auto const found = in.database.run(interview_booking(id));
    if (found.empty()) return make_error(error_code::not_found);
    return data_answer([&](http::json_writer& json) { write_interview_booking(json, found[0]); }, status);
}

// The one id that the body names.
result<uuid> read_id(std::string_view body, char const* name) {
    http::json_fields fields(body);
    auto const id = fields.id(name);
    fields.refuse_others({name});
    if (!fields.ok()) return fields.error();
    return *id;
}

} // namespace

result<http::response> cancel_interview_booking(change_input& in) {
    auto const which = chosen_booking(in);
    if (!which) return which.error();
    return booking_answer(in, which->booking, interviews::cancel_booking(in.database, *which, actor_of(in)));
}

result<http::response> move_interview_booking(change_input& in) {
    auto const which = chosen_booking(in);
    if (!which) return which.error();
    auto const slot = read_id(in.body, "slotId");
    if (!slot) return slot.error();
    return booking_answer(in, which->booking, interviews::move_booking(in.database, *which, *slot, actor_of(in)));
}

result<http::response> hand_over_interview_booking(change_input& in) {
    auto const which = chosen_booking(in);
    if (!which) return which.error();
    auto const member = read_id(in.body, "memberId");
    if (!member) return member.error();
    return booking_answer(in, which->booking,
                          interviews::hand_over_booking(in.database, *which, *member, actor_of(in)));
}

result<http::response> resend_interview_confirmation(change_input& in) {
    auto const which = chosen_booking(in);
    if (!which) return which.error();
    return booking_answer(in, which->booking, interviews::resend_confirmation(in.database, *which, actor_of(in)), 202);
}

result<http::response> create_booking_link(change_input& in) {
    auto const which = chosen_booking(in);
    if (!which) return which.error();
    constexpr std::size_t token_bytes = 32;
    auto const token = to_base64url(random_bytes(token_bytes));
    auto const& mail = in.config.mail;
    auto const done = interviews::add_booking_link(in.database, *which, token, mail.link_lifetime, actor_of(in));
    if (!done) return done.error();
    auto const write = [&](http::json_writer& json) {
        json.open_object().field("url", mail.public_url + "/interviews/" + token).close_object();
    };
    return data_answer(write, 201);
}

} // namespace recruiting::auth_api::console
