#include "public_api/booking/schedule.hpp"

#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "mail/address.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "words/words.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr auto longest_span = std::chrono::days{31};

void check_time_zone(auto& reader, std::optional<std::string> const& zone) {
    if (zone && !zones::is_zone(*zone))
        reader.problem("timeZone", "invalid", "Must be an IANA time zone, such as Europe/Berlin.");
}

} // namespace

time_span bookable_span(timestamp now, booking_settings const& config) noexcept {
    return {now + config.notice, now + config.horizon + std::chrono::microseconds{1}};
}

result<slot_query> read_slot_query(std::string_view raw_query, timestamp now, booking_settings const& config) {
    http::query_reader query(raw_query);
    auto const from = query.time("from");
    auto const to = query.time("to");
    auto const zone = query.text("timeZone", 64);
    if (from && to && *to <= *from) query.problem("to", "out_of_range", "Must be later than from.");
    if (from && to && *to - *from > longest_span)
        query.problem("to", "out_of_range", "Must be at most 31 days after from.");
    check_time_zone(query, zone);
    if (!query.ok()) return invalid_request(query.take_problems());

    auto const bookable = bookable_span(now, config);
    auto const begin = std::max(from.value_or(bookable.from), bookable.from);
    auto const end = std::min(to.value_or(bookable.to), bookable.to);
    return slot_query{{begin, end}, zone.value_or(std::string())};
}

std::optional<std::string> read_time_zone(http::json_fields& fields) {
    auto const name = fields.text("timeZone");
    check_time_zone(fields, name);
    return name ? std::optional<std::string>(zones::current_name(*name)) : std::nullopt;
}

namespace {

void write_slot(http::json_writer& json, timestamp start, timestamp end, std::string_view zone) {
    json.open_object().field("slotStart", start).field("slotEnd", end);
    json.field("interviewDurationMinutes", std::chrono::floor<std::chrono::minutes>(end - start).count());
    if (!zone.empty()) json.field("localStart", zones::format_local(start, zone));
    json.close_object();
}

} // namespace

http::response slots_answer(pg::rows const& rows, std::string_view zone, std::int64_t limit,
                            std::optional<timestamp> left_out) {
    http::response answer;
    http::json_writer json(answer.body);
    int const shown = std::min(rows.size(), static_cast<int>(limit));
    bool const has_more = shown < rows.size();
    json.open_object().key("data").open_array();
    for (int row = 0; row < shown; ++row)
        if (auto const start = rows.time(row, 0); start != left_out) write_slot(json, start, rows.time(row, 1), zone);
    json.close_array().key("page").open_object().field("limit", limit).field("hasMore", has_more);
    json.field("nextFrom", has_more ? std::optional(rows.time(shown, 0)) : std::nullopt).close_object().close_object();
    forbid_storing(answer);
    return answer;
}

api_error not_offered(error_code code) {
    auto error = make_error(code);
    error.message = "That time is not offered. Choose another.";
    error.details.push_back({"body", "slotStart", "unknown", "No slot of the schedule begins then."});
    return error;
}

void forbid_storing(http::response& answer) { answer.add("Cache-Control", "no-store"); }

namespace {

std::optional<stage_of_job> stage_in_path(action_input const& input) {
    auto const job = parse_id(input.params[0]);
    auto const stage = parse_id(input.params[1]);
    return job && stage ? std::optional(stage_of_job{*job, *stage}) : std::nullopt;
}

} // namespace

result<plan> list_slots(action_input const& input) {
    auto const where = stage_in_path(input);
    if (!where) return make_error(error_code::not_found);
    auto query = read_slot_query(input.request.query, input.now, input.booking);
    if (!query) return query.error();
    auto const limit = input.booking.slots_shown;
    auto const render = [zone = query->time_zone, limit](auto const& results) -> result<http::response> {
        if (results.at(0).empty()) return make_error(error_code::not_found);
        return slots_answer(results.at(1), zone, limit);
    };
    return database_query{{select_bookable_stage(*where), select_slots(*where, query->when, limit + 1)}, render};
}

namespace {

// The one answer to every request that can be booked.
http::response confirmed() {
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("confirmed", true).close_object().close_object();
    forbid_storing(answer);
    return answer;
}

result<http::response> confirm_request(std::vector<pg::rows> const& results) {
    if (results.empty() || results.front().affected() == 0) return not_offered(error_code::not_found);
    return confirmed();
}

// The network that the client can choose addresses from (proto-docs/limits.md): its first bits, of 32 and of 128.
std::string client_network(std::string_view client, unsigned ipv4_bits, unsigned ipv6_bits) {
    auto const address = parse_ip(client);
    if (!address) return std::string(client);
    return to_string(first_bits(*address, address->is_v4() ? 96 + ipv4_bits : ipv6_bits));
}

// Redis and this process hold no e-mail address and no client in clear text: half an HMAC. No part of what is counted
// contains a line feed.
rate_limit::client_key hashed(digest const& key, std::string const& counted) {
    auto const code = hmac_sha256(bytes_of(key), counted);
    rate_limit::client_key half;
    std::copy_n(code.begin(), half.size(), half.begin());
    return half;
}

// Any tag will do: what there are no words for is never an error, for a page in any language may ask.
std::string mail_language(std::string_view asked, std::string_view accept_language) {
    auto const* const found = find_words(asked);
    return std::string((found != nullptr ? *found : requested_words(accept_language)).language);
}

} // namespace

std::vector<digest> limit_keys_of(std::string_view secret, std::string_view previous) {
    constexpr std::string_view purpose = "keys of booking limits";
    std::vector<digest> out{hmac_sha256(secret, purpose)};
    if (!previous.empty()) out.push_back(hmac_sha256(previous, purpose));
    return out;
}

result<booking_request> read_booking_request(http::request const& req, booking_settings const& config) {
    if (auto refused = http::refuse_body(req, "application/json", config.body_limit)) return std::move(*refused);
    http::json_fields fields(req.body);
    booking_request wanted;
    auto const email = fields.text("email", http::json_fields::presence::required);
    if (auto const problem = email ? mail::address_problem(*email) : std::nullopt)
        fields.problem("email", "invalid", to_sentence(*problem));
    wanted.email = email.value_or(std::string());
    wanted.slot_start = fields.time("slotStart").value_or(timestamp{});
    wanted.time_zone = read_time_zone(fields);
    wanted.language = mail_language(fields.text("language").value_or(std::string()), req.header("Accept-Language"));
    if (!fields.ok()) return fields.error();
    return wanted;
}

// Spellings that the worker takes for one address count as one.
std::vector<counted_use> booking_uses(action_input const& input, uuid const& job, std::string_view email) {
    using namespace std::chrono_literals;
    auto const& limits = input.booking;
    auto const address = mail::counted_mailbox(mail::canonical_address(email).value_or(std::string(email)));
    std::vector<counted_use> out;
    for (auto const& key : input.limit_keys) {
        out.push_back({booking_client_limit, hashed(key, to_string(job) + '\n' + client_network(input.client, 32, 64)),
                       limits.requests_per_client, 1h});
        out.push_back({booking_address_limit, hashed(key, address + '\n' + client_network(input.client, 24, 56)),
                       limits.requests_per_email, 24h});
    }
    for (auto const& key : input.limit_keys)
        out.push_back({booking_address_total_limit, hashed(key, address), limits.requests_per_email_total, 24h, true});
    return out;
}

bool is_bookable(catalogue const& published, stage_of_job const& where, timestamp now) {
    auto const* const job = published.find_job(where.job, now).job;
    if (job == nullptr) return false;
    return std::ranges::any_of(facts_of(*job).bookable_stages,
                               [&](auto const& stage) { return stage.id == where.stage; });
}

result<plan> request_booking(action_input const& input) {
    auto const where = stage_in_path(input);
    if (!where || !is_bookable(input.published, *where, input.now)) return make_error(error_code::not_found);
    auto const wanted = read_booking_request(input.request, input.booking);
    if (!wanted) return wanted.error();
    counted_query out{booking_uses(input, where->job, wanted->email), {{}, confirm_request}, {}};
    auto const bookable = bookable_span(input.now, input.booking);
    if (wanted->slot_start >= bookable.from && wanted->slot_start < bookable.to) {
        out.query.statements.push_back(insert_booking_request(*where, *wanted, false));
        out.excess_statements.push_back(insert_booking_request(*where, *wanted, true));
    }
    return out;
}

} // namespace recruiting::public_api
