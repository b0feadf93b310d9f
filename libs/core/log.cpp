#include "core/log.hpp"

#include "core/log_writer.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace recruiting::log {
namespace {

constexpr std::chrono::milliseconds last_flush{1'000};

// Never destroyed: the writer's thread may need it until the process has ended.
std::string& program_name = *new std::string("recruiting");
std::atomic<level> threshold_level{level::info};
std::atomic<std::int64_t> waiting_limit{settings{}.waiting};

std::string_view name_of(level at) {
    switch (at) {
    case level::debug: return "debug";
    case level::info: return "info";
    case level::warning: return "warning";
    case level::error: return "error";
    }
    return "info";
}

void append_text(std::string& out, std::string_view text) {
    if (is_utf8(text)) return append_json_string(out, text);
    std::string readable(text);
    for (auto& c : readable)
        if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    append_json_string(out, readable);
}

struct value_writer {
    std::string& out;
    void operator()(std::string_view text) const { append_text(out, text); }
    void operator()(std::int64_t number) const { append_number(out, number); }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(double number) const {
        if (std::isfinite(number)) append_number(out, number);
        else out += "null";
    }
};

void append(std::string& out, level at, std::string_view event, std::initializer_list<field> fields) {
    if (!enabled(at)) return;
    out += R"({"time":")";
    append_time(out, system_time().now());
    out += R"(","level":")";
    out += name_of(at);
    out += R"(","program":")";
    out += program_name;
    out += R"(","event":)";
    append_text(out, event);
    for (auto const& [name, value] : fields) {
        out.append(",\"").append(name).append("\":"); // names are literals of ours
        std::visit(value_writer{out}, value);
    }
    out += "}\n";
}

std::string drop_line(std::uint64_t lines) {
    std::string line;
    append(line, level::warning, "log_lines_dropped", {{"lines", lines}});
    return line;
}

log_writer& writer() {
    static auto& made = []() -> log_writer& {
        auto& one = *new log_writer(STDOUT_FILENO, static_cast<std::size_t>(waiting_limit),
                                    drop_line); // never destroyed, as above
        std::atexit([] { static_cast<void>(flush(last_flush)); });
        return one;
    }();
    return made;
}

} // namespace

std::optional<level> parse_level(std::string_view name) noexcept {
    for (auto const at : {level::debug, level::info, level::warning, level::error})
        if (name_of(at) == name) return at;
    return std::nullopt;
}

void configure(std::string_view program, settings const& how) {
    program_name = program;
    threshold_level = how.threshold;
    waiting_limit = how.waiting;
}

bool enabled(level at) noexcept { return at >= threshold_level.load(std::memory_order_relaxed); }

void put(std::string_view lines) noexcept {
    if (!lines.empty()) writer().put(lines);
}

bool flush(std::chrono::milliseconds at_most) noexcept { return writer().flush(at_most); }

std::uint64_t dropped_lines() noexcept { return writer().dropped(); }

void write(level at, std::string_view event, std::initializer_list<field> fields) {
    thread_local std::string line;
    line.clear();
    append(line, at, event, fields);
    put(line);
}

} // namespace recruiting::log
