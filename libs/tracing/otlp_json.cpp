#include "tracing/otlp_json.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"

namespace recruiting::tracing {
namespace {

constexpr std::size_t longest_value = 1024;
constexpr std::size_t bytes_a_span = 800; // about
constexpr unsigned has_is_remote = 0x100; // SpanFlags of opentelemetry-proto
constexpr unsigned is_remote = 0x200;
constexpr int status_error = 2; // Status.StatusCode

void append_text(std::string& out, std::string_view text) {
    append_json_string(out, redact_secrets(printable(text, longest_value)));
}

struct value_writer {
    std::string& out;
    void operator()(std::string const& text) const {
        out += R"("stringValue":)";
        append_text(out, text);
    }
    void operator()(std::int64_t number) const {
        out += R"("intValue":")";
        append_number(out, number);
        out += '"';
    }
    void operator()(bool flag) const { out.append(R"("boolValue":)").append(flag ? "true" : "false"); }
};

void append_attribute(std::string& out, std::string_view key, attribute::value_type const& value) {
    out += R"({"key":)";
    append_text(out, key);
    out += R"(,"value":{)";
    std::visit(value_writer{out}, value);
    out += "}}";
}

template <class List, class Append>
void append_list(std::string& out, List const& list, Append const& append_one) {
    out += '[';
    bool first = true;
    for (auto const& one : list) {
        if (!std::exchange(first, false)) out += ',';
        append_one(one);
    }
    out += ']';
}

void append_ids(std::string& out, context const& of) {
    out += R"("traceId":")";
    append_hex(out, of.trace);
    out += R"(","spanId":")";
    append_hex(out, of.span);
    out += '"';
}

void append_nanoseconds(std::string& out, std::string_view key, std::chrono::nanoseconds since_1970) {
    out.append(",\"").append(key).append("\":\"");
    append_number(out, since_1970.count());
    out += '"';
}

void append_span(std::string& out, span_data const& one) {
    out += '{';
    append_ids(out, one.own);
    if (one.parent != span_id{}) {
        out += R"(,"parentSpanId":")";
        append_hex(out, one.parent);
        out += '"';
    }
    out += R"(,"flags":)";
    append_number(out, 1U | has_is_remote | (one.parent_remote ? is_remote : 0U));
    out += R"(,"name":)";
    append_text(out, one.name);
    out += R"(,"kind":)";
    append_number(out, static_cast<int>(one.kind));
    append_nanoseconds(out, "startTimeUnixNano", one.start);
    append_nanoseconds(out, "endTimeUnixNano", one.end);
    out += R"(,"attributes":)";
    append_list(out, one.attributes, [&out](attribute const& a) { append_attribute(out, a.key, a.value); });
    out += R"(,"status":{)";
    if (one.failed) {
        out += R"("code":)";
        append_number(out, status_error);
    }
    out += "}}";
}

} // namespace

std::string export_request(resource const& of, span_list const& spans) {
    std::string out;
    out.reserve(1024 + spans.size() * bytes_a_span);
    out += R"({"resourceSpans":[{"resource":{"attributes":)";
    append_list(out, of.attributes, [&out](auto const& a) { append_attribute(out, a.first, a.second); });
    out += R"(},"scopeSpans":[{"scope":{"name":"recruiting","version":)";
    append_text(out, of.version);
    out += R"(},"spans":)";
    append_list(out, spans, [&out](auto const& one) { append_span(out, *one); });
    out += "}]}]}";
    return out;
}

} // namespace recruiting::tracing
