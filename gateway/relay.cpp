#include "gateway/relay.hpp"

#include <charconv>

namespace recruiting::gateway {
namespace {

// "400\r\n": the size line of a chunk (RFC 9112 section 7.1).
struct chunk_size_line {
    char text[20];
    [[nodiscard]] std::string_view write(std::size_t size) noexcept {
        auto* const end = std::to_chars(text, text + 16, size, 16).ptr;
        end[0] = '\r';
        end[1] = '\n';
        return {text, static_cast<std::size_t>(end + 2 - text)};
    }
};

void add_piece(gather& out, std::string_view content, bool chunked, bool last, chunk_size_line& line) {
    if (!chunked) return out.add(content);
    if (!content.empty()) {
        out.add(line.write(content.size()));
        out.add(content);
    }
    if (last) out.add(content.empty() ? "0\r\n\r\n" : "\r\n0\r\n\r\n");
    else if (!content.empty()) out.add("\r\n");
}

} // namespace

task<relay_result> relay(relay_job& job) {
    chunk_size_line line;
    for (;;) {
        auto const step = job.reader.next(job.buffer.bytes());
        if (step.malformed) co_return relay_result::source_malformed;
        if (job.reader.received() > job.limit) co_return relay_result::too_large;
        gather out;
        out.add(job.prefix);
        add_piece(out, step.content, job.chunked_out, step.finished, line);
        if (!out.done()) {
            bool good = job.to.try_write(out);
            job.sent_any = job.sent_any || good;
            if (good && !out.done()) good = co_await job.to.write(out, job.write_limit);
            if (!good) co_return relay_result::sink_lost;
        }
        job.prefix.clear();
        job.written += step.content.size();
        job.buffer.consume(step.consumed);
        if (step.finished) co_return relay_result::done;
        auto const outcome = co_await job.from.read(job.buffer, job.read_limit);
        if (outcome == read_outcome::timed_out) co_return relay_result::source_timed_out;
        if (outcome == read_outcome::data) continue;
        if (!job.reader.finish_at_close()) co_return relay_result::source_closed;
    }
}

} // namespace recruiting::gateway
