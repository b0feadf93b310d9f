#include "gateway/access_log.hpp"

#include "core/log.hpp"
#include "core/text.hpp"
#include "gateway/answers/credential_exposure.hpp"

namespace recruiting::gateway {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view value) {
    out.append(",\"").append(name).append("\":");
    append_json_string(out, value);
}

void append_count(std::string& out, std::string_view name, auto value) {
    out.append(",\"").append(name).append("\":");
    append_number(out, value);
}

void begin_line(std::string& out, std::string_view event, timestamp now) {
    out += R"({"time":")";
    append_time(out, now);
    out.append(R"(","level":"info","program":"gateway","event":")").append(event) += '"';
}

void append_summary(std::string& out, std::string_view client, std::int64_t minute,
                    std::map<unsigned, std::int64_t> const& counted, timestamp now) {
    if (counted.empty()) return;
    begin_line(out, "requests_rejected", now);
    append_text(out, "client", client);
    out += R"(,"minute":")";
    append_time(out, timestamp(std::chrono::minutes(minute)));
    out += '"';
    std::int64_t sum = 0;
    std::string statuses;
    for (auto const& [status, count] : counted) {
        sum += count;
        append_count(statuses, std::to_string(status), count);
    }
    append_count(out, "count", sum);
    out.append(R"(,"statuses":{)").append(statuses, 1).append("}}\n");
}

} // namespace

void append_access_line(std::string& out, request_context const& x, timestamp now, std::chrono::microseconds duration) {
    begin_line(out, "request", now);
    append_text(out, "requestId", x.request_id);
    append_text(out, "traceId", tracing::trace_text(x.trace));
    append_text(out, "method", x.head.method); // a token: ASCII
    append_text(out, "route", x.to == nullptr ? std::string_view() : std::string_view(x.to->prefix));
    append_text(out, "path", loggable_path(x.where.path, x.to));
    append_count(out, "status", x.status);
    append_text(out, "client", to_string(x.client));
    append_text(out, "rateLimit", x.count ? x.count->text() : "none");
    if (x.count) append_count(out, "remaining", x.count->remaining);
    append_count(out, "durationUs", duration.count());
    append_count(out, "bytesIn", x.received);
    append_count(out, "bytesOut", x.sent);
    if (x.truncated) out += ",\"truncated\":true";
    out += "}\n";
}

bool refusal_log::note(ip_address const& client, unsigned status, timestamp now) {
    auto const counted = count_address(client, ipv6_bits_);
    auto& in = shard_of(shards_, counted);
    std::lock_guard const lock(in.mutex);
    in.end_before(window_at(now).number);
    auto* const own = find_or_add(in.current.clients, counted, most / shards_.size());
    auto& known = own == nullptr ? in.current.others : *own;
    if (++known.requests <= lines_per_minute) return true;
    ++known.counted[status];
    return false;
}

void refusal_log::shard::end_before(std::int64_t minute) {
    if (current.minute < minute) ended.push_back(std::exchange(current, {minute}));
}

void refusal_log::append_ended(std::string& out, std::int64_t minute, timestamp now) {
    if (written_.exchange(minute) == minute) return;
    for (auto& in : shards_) {
        std::lock_guard const lock(in.mutex);
        in.end_before(minute);
        for (auto const& one : std::exchange(in.ended, {})) {
            for (auto const& [client, known] : one.clients) {
                std::string name;
                append_count_name(name, client, ipv6_bits_);
                append_summary(out, name, one.minute, known.counted, now);
            }
            append_summary(out, "others", one.minute, one.others.counted, now);
        }
    }
}

void refusal_log::write_before(std::int64_t minute, timestamp now) {
    std::string lines;
    append_ended(lines, minute, now);
    if (!lines.empty()) log::put(lines);
}

} // namespace recruiting::gateway
