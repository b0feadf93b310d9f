// W3C Trace Context, level 1: the traceparent and tracestate fields. Which trace a piece of work belongs to. Pure, but
// for the making of new ids.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::tracing {

using trace_id = std::array<std::uint8_t, 16>;
using span_id = std::array<std::uint8_t, 8>;

/// One span of one trace, as it is sent to others.
struct context {
    trace_id trace{}; // all zero: none
    span_id span{};
    bool sampled{false};
    bool operator==(context const&) const = default;
};

[[nodiscard]] trace_id new_trace_id();
[[nodiscard]] span_id new_span_id();

/// Section 3.2.2: version 00 exactly, a later version as far as 00 goes; lower-case hex, neither id all zero. Of the
/// flags only sampled means anything.
[[nodiscard]] std::optional<context> parse_traceparent(std::string_view field) noexcept;
/// "00-<trace>-<span>-01"
void append_traceparent(std::string& out, context const& of);
/// 32 or 16 lower-case hex characters.
void append_hex(std::string& out, trace_id const& id);
void append_hex(std::string& out, span_id const& id);
/// The trace's id as logs show it; "" for none.
class trace_text {
public:
    explicit trace_text(context const& of) noexcept;
    operator std::string_view() const noexcept { return {text_.data(), size_}; } // NOLINT: a text

private:
    std::array<char, 32> text_;
    std::size_t size_;
};

/// The list-members of a tracestate field (section 3.3.1), of which all fields together have 32 at most; nullopt: one
/// of them is not well formed.
[[nodiscard]] std::optional<unsigned> count_tracestate(std::string_view field) noexcept;
inline constexpr unsigned most_tracestate_members = 32;

/// The share of new traces that is sampled, decided by the trace's id alone: every program that knows the id decides
/// alike. The 56 random bits that W3C Trace Context level 2 (section 3.2.2.3) names are compared with a threshold.
class ratio {
public:
    /// 0 to 1
    explicit ratio(double share) noexcept;
    [[nodiscard]] bool takes(trace_id const& id) const noexcept;

private:
    std::uint64_t below_;
};

} // namespace recruiting::tracing
