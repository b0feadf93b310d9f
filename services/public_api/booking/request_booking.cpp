#include "public_api/booking/request_booking.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "http/json_fields.hpp"
#include "http/json_writer.hpp"
#include "http/message.hpp"
#include "mail/address.hpp"
#include "public_api/booking/slots.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/catalogue/search_key.hpp"
#include "public_api/limits/window.hpp"
#include "words/words.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

// The one answer to every request that can be booked.
http::response confirmed() {
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("confirmed", true).close_object().close_object();
    forbid_storing(answer);
    return answer;
}

result<http::response> render(std::vector<pg::rows> const& results) {
    if (results.empty() || results.front().affected() == 0) return make_error(error_code::not_found);
    return confirmed();
}

// The network that the client can choose addresses from (proto-docs/limits.md): its first bits, of 32 and of 128.
std::string client_network(std::string_view client, unsigned ipv4_bits, unsigned ipv6_bits) {
    auto const address = parse_ip(client);
    if (!address) return std::string(client);
    return to_string(first_bits(*address, address->is_v4() ? 96 + ipv4_bits : ipv6_bits));
}

// Redis and this process hold no e-mail address and no client in clear text, and every key has the same length: half an
// HMAC. No part of what is counted contains a line feed.
std::string hashed(digest const& key, std::string const& counted) {
    auto const code = hmac_sha256(bytes_of(key), counted);
    return to_base64url(bytes_of(code).substr(0, code.size() / 2));
}

// Any tag will do: what there are no words for is never an error, for a page in any language may ask.
std::string mail_language(std::string_view asked, std::string_view accept_language) {
    auto const* const found = find_words(asked);
    return std::string((found != nullptr ? *found : words_asked_for(accept_language)).language);
}

} // namespace

digest limit_key_of(std::string_view secret) { return hmac_sha256(secret, "keys of booking limits"); }

result<booking_request> read_booking_request(http::request const& req, booking_settings const& config) {
    if (auto refused = http::refuse_body(req, "application/json", config.body_limit)) return std::move(*refused);
    http::json_fields fields(req.body);
    booking_request wanted;
    auto const email = fields.text("email", http::json_fields::presence::required);
    if (email && !mail::is_address(*email))
        fields.problem("email", "invalid", "Must be an e-mail address of at most 254 bytes.");
    wanted.email = email.value_or(std::string());
    wanted.slot_start = read_slot_start(fields);
    wanted.time_zone = read_time_zone(fields);
    wanted.language = mail_language(fields.text("language").value_or(std::string()), req.header("Accept-Language"));
    if (!fields.ok()) return invalid_request(fields.take_problems());
    return wanted;
}

// What the worker takes for one address counts as one: lower case is PostgreSQL's, which knows letters beyond ASCII
// whose small one is ASCII's (U+212A is a k).
std::vector<counted_use> booking_uses(call const& from, uuid const& job, std::string_view email) {
    using namespace std::chrono_literals;
    auto const& limits = from.booking;
    auto const& key = from.limit_key;
    auto const address = lower_case(email);
    return {{booking_client_limit, hashed(key, to_string(job) + '\n' + client_network(from.client, 32, 64)),
             limits.requests_per_client, 1h},
            {booking_address_limit, hashed(key, address + '\n' + client_network(from.client, 24, 56)),
             limits.requests_per_email, 24h},
            {booking_address_total_limit, hashed(key, address), limits.requests_per_email_total, 24h, true}};
}

bool is_bookable(catalogue const& published, stage_of_job const& where, timestamp now) {
    auto const* const job = published.find_job(where.job, now).job;
    if (job == nullptr) return false;
    return std::ranges::any_of(job->bookable_stages, [&](auto const& stage) { return stage.id == where.stage; });
}

result<plan> request_booking(call const& from) {
    auto const job = parse_id(from.params[0]);
    auto const stage = parse_id(from.params[1]);
    if (!job || !stage) return make_error(error_code::not_found);
    stage_of_job const where{*job, *stage};
    if (!is_bookable(from.published, where, from.now)) return make_error(error_code::not_found);
    auto const wanted = read_booking_request(from.request, from.booking);
    if (!wanted) return wanted.error();
    plan out;
    out.counted = booking_uses(from, *job, wanted->email);
    auto const bookable = bookable_span(from.now, from.booking);
    if (wanted->slot_start >= bookable.from && wanted->slot_start < bookable.to) {
        out.segment.push_back(insert_booking_request(where, *wanted, false));
        out.excess_segment.push_back(insert_booking_request(where, *wanted, true));
    }
    out.render = render;
    return out;
}

} // namespace recruiting::public_api
