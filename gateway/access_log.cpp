#include "gateway/access_log.hpp"

#include "core/log_lines.hpp"
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

std::string_view decision_of(request_context const& x) noexcept {
    if (!x.count) return "none";
    if (!x.count->over) return "allowed";
    return x.count->shadow ? "shadow_refused" : "refused";
}

void append_summary(std::string& out, std::string_view client, std::int64_t minute,
                    std::map<unsigned, std::int64_t> const& counted, timestamp now) {
    out += R"({"time":")";
    append_time(out, now);
    out += R"(","level":"info","program":"gateway","event":"requests_refused")";
    append_text(out, "client", client);
    out += R"(,"minute":")";
    append_time(out, timestamp(std::chrono::minutes(minute)));
    out += '"';
    std::int64_t sum = 0;
    for (auto const& [status, count] : counted) sum += count;
    append_count(out, "count", sum);
    out += R"(,"statuses":{)";
    for (bool first = true; auto const& [status, count] : counted) {
        out += std::exchange(first, false) ? "\"" : ",\"";
        append_number(out, status);
        out += "\":";
        append_number(out, count);
    }
    out += "}}\n";
}

} // namespace

void append_access_line(std::string& out, request_context const& x, timestamp now, std::chrono::microseconds duration) {
    out += R"({"time":")";
    append_time(out, now);
    out += R"(","level":"info","program":"gateway","event":"request")";
    append_text(out, "requestId", x.request_id);
    append_text(out, "traceId", tracing::trace_text(x.trace));
    append_text(out, "method", x.head.method); // a token: ASCII
    append_text(out, "route", x.to == nullptr ? std::string_view() : std::string_view(x.to->prefix));
    append_text(out, "path", loggable_path(x.where.path, x.to));
    append_count(out, "status", x.status);
    append_text(out, "client", to_string(x.client));
    append_text(out, "ceiling", decision_of(x));
    if (x.count) append_count(out, "remaining", x.count->remaining);
    append_count(out, "durationUs", duration.count());
    append_count(out, "bytesIn", x.received);
    append_count(out, "bytesOut", x.sent);
    if (x.truncated) out += ",\"truncated\":true";
    out += "}\n";
}

bool refusal_log::note(ip_address const& client, unsigned status, timestamp now) {
    auto const counted = count_address(client, ipv6_bits_);
    auto const minute = window_at(now).number;
    auto& in = shards_[std::hash<ip_address>{}(counted) % shards];
    std::lock_guard const lock(in.mutex);
    if (in.minute < minute) end_minute(in, minute);
    auto const found = in.clients.find(counted);
    auto& known = found != in.clients.end()           ? found->second
                  : in.clients.size() < most / shards ? in.clients[counted]
                                                      : in.others;
    if (++known.requests <= lines_) return true;
    ++known.counted[status];
    return false;
}

void refusal_log::end_minute(shard& in, std::int64_t minute) {
    for (auto& [client, known] : in.clients)
        if (!known.counted.empty())
            in.ended.push_back({count_name(client, ipv6_bits_), in.minute, std::move(known.counted)});
    if (!in.others.counted.empty()) in.ended.push_back({"others", in.minute, std::move(in.others.counted)});
    in.clients.clear();
    in.others = {};
    in.minute = minute;
}

void refusal_log::append_ended(std::string& out, std::int64_t minute, timestamp now) {
    if (written_.exchange(minute) == minute) return;
    for (auto& in : shards_) {
        std::lock_guard const lock(in.mutex);
        if (in.minute < minute) end_minute(in, minute);
        for (auto const& one : in.ended) append_summary(out, one.client, one.minute, one.counted, now);
        in.ended.clear();
    }
}

void refusal_log::write_before(std::int64_t minute, timestamp now) {
    std::string lines;
    append_ended(lines, minute, now);
    if (!lines.empty()) log::put(lines);
}

void write_access_line(request_context const& x, std::chrono::steady_clock::time_point now) {
    thread_local std::string line;
    line.clear();
    append_access_line(line, x, system_time().now(),
                       std::chrono::duration_cast<std::chrono::microseconds>(now - x.began));
    log::put(line);
}

} // namespace recruiting::gateway
