#include "core/log.hpp"

#include "core/text.hpp"
#include "core/time.hpp"

#include <atomic>
#include <cmath>
#include <string>
#include <unistd.h>

namespace recruiting::log {
namespace {

std::string program_name = "recruiting";
std::atomic<level> threshold_level{level::info};

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

} // namespace

std::optional<level> parse_level(std::string_view name) noexcept {
    for (auto const at : {level::debug, level::info, level::warning, level::error})
        if (name_of(at) == name) return at;
    return std::nullopt;
}

void configure(std::string_view program, level threshold) {
    program_name = program;
    threshold_level = threshold;
}

bool enabled(level at) noexcept { return at >= threshold_level.load(std::memory_order_relaxed); }

void write(level at, std::string_view event, std::initializer_list<field> fields) {
    if (!enabled(at)) return;
    thread_local std::string line;
    line.clear();
    line += R"({"time":")";
    append_time(line, system_time().now());
    line += R"(","level":")";
    line += name_of(at);
    line += R"(","program":")";
    line += program_name;
    line += R"(","event":)";
    append_text(line, event);
    for (auto const& [name, value] : fields) {
        line += ',';
        append_text(line, name);
        line += ':';
        std::visit(value_writer{line}, value);
    }
    line += "}\n";
    // One write a line: what keeps lines of several threads apart. A log that can't be written stops nothing.
    for (std::size_t done = 0; done < line.size();) {
        auto const wrote = ::write(STDOUT_FILENO, line.data() + done, line.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return;
        done += static_cast<std::size_t>(wrote);
    }
}

} // namespace recruiting::log
