#include "gateway/http1/relay.hpp"

#include <algorithm>
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
    if (step.fault == http::body_fault::malformed) return relay_result::source_malformed;
    if (step.fault == http::body_fault::trailers_too_large) return relay_result::trailers_too_large;
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

void note_wait(relay_job& job, stream const& of, bool begins) {
    if (&of != job.client) return;
    if (job.on_client_wait) job.on_client_wait(begins);
    auto const now = of.now().time_since_epoch();
    job.waited += begins ? -now : now;
}

task<read_outcome> read_piece(relay_job& job) {
    auto outcome = job.from.try_read(job.buffer);
    while (!outcome) {
        note_wait(job, job.from, true);
        bool const ready = co_await job.from.readable(job.read_limit);
        note_wait(job, job.from, false);
        outcome = ready ? job.from.try_read(job.buffer) : job.from.gave_up();
    }
    co_return *outcome;
}

} // namespace

bool is_too_slow(std::uint64_t moved, coarse_clock::duration waited, std::chrono::milliseconds grace) noexcept {
    auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(waited - grace).count();
    return seconds > 0 && moved < least_rate * static_cast<std::uint64_t>(seconds);
}

std::optional<relay_result> relay_at_once(relay_job& job) {
    if (auto const fault = take_piece(job)) return fault;
    if (!write_at_once(job)) return relay_result::sink_lost;
    if (job.reader.finished()) return relay_result::done;
    return std::nullopt;
}

task<relay_result> relay(relay_job& job) {
    for (;;) {
        if (job.reader.finished()) co_return relay_result::done;
        if (!job.out.done()) {
            bool const written = co_await finish_writing(job);
            if (!written) co_return relay_result::sink_lost;
        }
        drop_piece(job);
        auto const outcome = co_await read_piece(job);
        if (outcome == read_outcome::timed_out) co_return relay_result::source_timed_out;
        if (outcome == read_outcome::closed && (job.from.ended_abruptly() || !job.reader.finish_at_close()))
            co_return relay_result::source_closed;
        bool const sends = &job.from == job.client;
        if (sends && is_too_slow(job.reader.received(), job.waited, job.read_limit))
            co_return relay_result::source_too_slow;
        if (auto const fault = take_piece(job)) co_return *fault;
        if (!write_at_once(job)) co_return relay_result::sink_lost;
    }
}

// A full buffer is part of a large body: more at a time then costs fewer system calls.
void drop_piece(relay_job& job) {
    job.prefix.clear();
    job.buffer.consume(job.consumed);
    if (job.consumed == byte_buffer::standard_size) job.buffer.widen();
    job.consumed = 0;
}

task<bool> finish_writing(relay_job& job) {
    while (!job.out.done()) {
        note_wait(job, job.to, true);
        bool const ready = co_await job.to.writable(job.write_limit);
        note_wait(job, job.to, false);
        if (!ready || !write_at_once(job)) co_return false;
        auto const taken = job.written - std::min<std::uint64_t>(job.written, job.out.size());
        bool const reads = &job.to == job.client;
        if (reads && is_too_slow(taken, job.waited, job.write_limit)) co_return false;
    }
    co_return true;
}

} // namespace recruiting::gateway
