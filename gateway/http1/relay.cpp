#include "gateway/http1/relay.hpp"

#include <charconv>

namespace recruiting::gateway {
namespace {

void add_piece(relay_job& job, std::string_view content, bool last) {
    if (!job.chunked_out) return job.out.add(content);
    if (!content.empty()) {
        char digits[16];
        job.size_line.assign(digits, std::to_chars(digits, std::end(digits), content.size(), 16).ptr);
        job.out.add(job.size_line.append("\r\n"));
        job.out.add(content);
    }
    if (last) job.out.add(content.empty() ? "0\r\n\r\n" : "\r\n0\r\n\r\n");
    else if (!content.empty()) job.out.add("\r\n");
}

// What the buffer holds becomes the next piece to be written.
std::optional<relay_result> take_piece(relay_job& job) {
    auto const step = job.reader.next(job.buffer.bytes());
    if (step.fault == body_fault::malformed) return relay_result::source_malformed;
    if (step.fault == body_fault::trailers_too_large) return relay_result::trailers_too_large;
    if (job.reader.received() > job.limit) return relay_result::too_large;
    job.out = {};
    job.out.add(job.prefix);
    add_piece(job, step.content, step.finished);
    job.written += step.content.size();
    job.consumed = step.consumed;
    return std::nullopt;
}

bool write_at_once(relay_job& job) {
    if (job.out.done()) return true;
    bool const good = job.to.try_write(job.out);
    job.sent_any = job.sent_any || good;
    return good;
}

// The piece is written: its part of the buffer is free again. A full buffer is part of a large body: more at a time
// then costs fewer system calls.
void drop_piece(relay_job& job) {
    job.prefix.clear();
    job.buffer.consume(job.consumed);
    if (job.consumed == byte_buffer::standard_size) job.buffer.widen();
    job.consumed = 0;
}

} // namespace

bool is_too_slow(std::uint64_t received, coarse_clock::duration since, std::chrono::milliseconds read_limit,
                 std::uint64_t least_rate) noexcept {
    auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(since - read_limit).count();
    return seconds > 0 && received < least_rate * static_cast<std::uint64_t>(seconds);
}

std::optional<relay_result> relay_at_once(relay_job& job) {
    job.began = job.from.now();
    if (auto const fault = take_piece(job)) return fault;
    if (!write_at_once(job)) return relay_result::sink_lost;
    if (!job.out.done()) return std::nullopt;
    drop_piece(job);
    return job.reader.finished() ? std::optional(relay_result::done) : std::nullopt;
}

task<relay_result> relay(relay_job& job) {
    for (;;) {
        if (!job.out.done()) {
            bool const good = co_await job.to.write(job.out, job.write_limit);
            if (!good) co_return relay_result::sink_lost;
            job.sent_any = true;
        }
        drop_piece(job);
        if (job.reader.finished()) co_return relay_result::done;
        auto const outcome = co_await job.from.read(job.buffer, job.read_limit);
        if (outcome == read_outcome::timed_out) co_return relay_result::source_timed_out;
        if (outcome == read_outcome::closed && (job.from.ended_abruptly() || !job.reader.finish_at_close()))
            co_return relay_result::source_closed;
        auto const since = job.from.now() - job.began;
        if (is_too_slow(job.reader.received(), since, job.read_limit, job.least_rate))
            co_return relay_result::source_too_slow;
        if (auto const fault = take_piece(job)) co_return *fault;
        if (!write_at_once(job)) co_return relay_result::sink_lost;
    }
}

} // namespace recruiting::gateway
