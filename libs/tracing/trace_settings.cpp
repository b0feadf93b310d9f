// The settings of tracing.
#include "tracing/exporter.hpp"

#include "core/file.hpp"
#include "core/text.hpp"
#include "core/url.hpp"

#include <algorithm>

namespace recruiting::tracing {
namespace {

bool is_token(std::string_view name) noexcept { // RFC 9110 section 5.6.2
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    auto const fits = [&](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

void declare_endpoint(settings_reader& reader, trace_settings& target) {
    reader.custom("RECRUITING_TRACE_ENDPOINT", "",
                  "The OpenTelemetry collector that spans are sent to by OTLP/HTTP, such as http://127.0.0.1:4318; "
                  "/v1/traces is added. Empty: no span is recorded.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      target.endpoint = value;
                      if (value.empty()) return std::nullopt;
                      return base_url_problem(value);
                  });
    reader.custom("RECRUITING_TRACE_HEADERS_FILE", "",
                  "File with header fields for the collector, such as a vendor's token: one Name: value per line.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      if (value.empty()) return std::nullopt;
                      std::string content;
                      if (auto wrong = read_file(std::string(value), content)) return wrong;
                      auto read = parse_trace_headers(content);
                      if (!read) return "must name a file of Name: value lines";
                      target.headers = std::move(*read);
                      return std::nullopt;
                  });
    reader.certificates_file("RECRUITING_TRACE_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify the collector; empty: the system's.");
}

std::optional<double> parse_share(std::string_view text) {
    auto const share = parse_number<double>(text);
    return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

void declare_content(settings_reader& reader, trace_settings& target) {
    reader.custom("RECRUITING_TRACE_SAMPLE", "0.1",
                  "Share of new traces that is sampled. A trusted incoming trace keeps its sampling decision.",
                  parsed_into(target.share, parse_share, "must be a number from 0 to 1"));
    reader.custom("RECRUITING_TRACE_ATTRIBUTES", "",
                  "Further attributes of every span's resource: deployment.environment.name=production,host.name=a1. "
                  "Values are percent-encoded.",
                  parsed_into(target.attributes, parse_trace_attributes, "must be key=value pairs, comma-separated"));
}

} // namespace

std::optional<std::vector<std::pair<std::string, std::string>>> parse_trace_attributes(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> out;
    for (auto const part : split(text, ',')) {
        auto const pair = trim(part);
        if (pair.empty()) continue;
        auto const equals = pair.find('=');
        if (equals == std::string_view::npos) return std::nullopt;
        auto const key = trim(pair.substr(0, equals));
        auto value = percent_decode(trim(pair.substr(equals + 1)));
        if (key.empty() || !is_printable_ascii(key) || !value || !is_utf8(*value)) return std::nullopt;
        out.emplace_back(key, std::move(*value));
    }
    return out;
}

std::optional<std::vector<std::string>> parse_trace_headers(std::string_view file) {
    std::vector<std::string> out;
    for (auto const part : split(file, '\n')) {
        auto const line = trim(part);
        if (line.empty() || line.front() == '#') continue;
        auto const colon = line.find(':');
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || !is_printable_ascii(line))
            return std::nullopt;
        auto const value = trim(line.substr(colon + 1));
        if (value.empty()) return std::nullopt;
        out.push_back(std::string(line.substr(0, colon)) + ": " + std::string(value));
    }
    return out;
}

void declare(settings_reader& reader, trace_settings& target) {
    reader.owns("RECRUITING_TRACE_");
    declare_endpoint(reader, target);
    declare_content(reader, target);
}

} // namespace recruiting::tracing
