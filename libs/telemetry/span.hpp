// Spans: pieces of work with a beginning, an end and a parent (OpenTelemetry's data model). Names and attribute keys
// are OpenTelemetry's semantic conventions; values never hold a secret, an address, a path, a search text or anything a
// candidate, a prompt or a model said (proto-docs/tracing.md). Work that is not sampled costs a comparison: no memory.
#pragma once
#include "telemetry/trace_context.hpp"

#include <chrono>
#include <concepts>
#include <memory>
#include <variant>
#include <vector>

namespace recruiting::tracing {

enum class span_kind { internal = 1, server, client, producer, consumer }; // the numbers are OTLP's

struct attribute {
    using value_type = std::variant<std::string, std::int64_t, bool>;
    std::string_view key; // a literal
    value_type value;
};

/// What is exported of a span.
struct span_data {
    context own;
    span_id parent{};          // all zero: a root
    bool parent_remote{false}; // of another process
    span_kind kind{span_kind::internal};
    std::string name;
    std::chrono::nanoseconds start{}; // since 1970
    std::chrono::nanoseconds end{};
    std::vector<attribute> attributes;
    bool failed{false};
};

/// Takes ended spans, from any thread.
class span_sink {
public:
    virtual void take(std::unique_ptr<span_data> ended) noexcept = 0;

protected:
    ~span_sink() = default;
};

class span;

/// Decides what is sampled and where spans go. One a process; used by all threads.
class tracer {
public:
    /// share of new traces; to: nullptr, nothing is recorded, whatever is sampled.
    tracer(double share, span_sink* to) noexcept : share_(share), to_(to) {}

    /// This hop's position in the trace of a caller that is trusted, or in a new one (OpenTelemetry's ParentBased with
    /// TraceIdRatioBased).
    [[nodiscard]] context enter(std::optional<context> const& caller) const;
    [[nodiscard]] bool records(context const& of) const noexcept { return to_ != nullptr && of.sampled; }
    [[nodiscard]] span_sink* sink() const noexcept { return to_; }

private:
    ratio share_;
    span_sink* to_;
};

/// The span that a piece of work belongs to. Copied freely; the tracer outlives it. Default: no trace, nothing is
/// recorded.
struct parent {
    tracer const* by{nullptr};
    context at{};
    [[nodiscard]] bool records() const noexcept { return by != nullptr && by->records(at); }
};

/// Work in progress. Records nothing unless it was begun under something sampled; ends when it goes away.
class span {
public:
    span() = default;
    /// One whose context is known already: what a process was asked to do, by `caller` if that was trusted.
    span(parent const& own, std::optional<context> const& caller, span_kind kind, std::string_view name,
         std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now());
    /// A part of the work above it.
    span(parent const& above, span_kind kind, std::string_view name);
    ~span() { end(); }
    span(span&& other) noexcept = default;
    span& operator=(span&& other) noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return data_ != nullptr; }
    span& set(std::string_view key, std::string_view value);
    span& set(std::string_view key, char const* value) { return set(key, std::string_view(value)); }
    template <std::integral Number>
    span& set(std::string_view key, Number value) {
        if constexpr (std::same_as<Number, bool>) add(key, value);
        else add(key, static_cast<std::int64_t>(value));
        return *this;
    }
    span& rename(std::string_view name);
    /// Sets the status Error; error_type is a class of error, of few values.
    span& fail(std::string_view error_type);
    /// Names the server that is asked: "127.0.0.1:8081", "[::1]:8081", "host" or a unix socket's path.
    span& set_server(std::string_view address);
    /// The parent for this span's parts and for requests to others; `otherwise` when nothing is recorded.
    [[nodiscard]] parent or_parent(parent const& otherwise) const noexcept;
    void end() noexcept;

private:
    void begin(parent const& under, span_kind kind, std::string_view name, std::chrono::steady_clock::time_point began);
    void add(std::string_view key, attribute::value_type value);

    std::unique_ptr<span_data> data_; // null: nothing is recorded
    tracer const* by_{nullptr};
    std::chrono::steady_clock::time_point began_{};
};

/// Work that nobody asked for: a new trace, sampled as any other.
/// by: nullptr, nothing is recorded.
[[nodiscard]] span root_span(tracer const* by, span_kind kind, std::string_view name);

} // namespace recruiting::tracing
