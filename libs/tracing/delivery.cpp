#include "tracing/delivery.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

namespace recruiting::tracing {
namespace {

namespace json = boost::json;

bool may_be_repeated(unsigned status) noexcept {
    return status == 429 || status == 502 || status == 503 || status == 504;
}

std::optional<std::int64_t> read_int64(json::value const& value) {
    if (value.is_int64()) return value.get_int64();
    auto const* const text = value.if_string();
    return text == nullptr ? std::nullopt : parse_number<std::int64_t>(std::string_view(text->data(), text->size()));
}

} // namespace

std::size_t read_rejected(std::string_view body, std::size_t spans) {
    boost::system::error_code error;
    auto const answer = json::parse({body.data(), body.size()}, error);
    if (error || !answer.is_object()) return 0;
    auto const* const partial = answer.get_object().if_contains("partialSuccess");
    if (partial == nullptr || !partial->is_object()) return 0;
    auto const* const rejected = partial->get_object().if_contains("rejectedSpans");
    auto const count = rejected == nullptr ? std::nullopt : read_int64(*rejected);
    if (!count || *count <= 0) return 0;
    return std::min(spans, static_cast<std::size_t>(*count));
}

delivery classify_delivery(transfer::http_result const& got, std::size_t spans, unsigned attempts) {
    delivery out;
    bool repeatable = true;
    if (auto const* const answer = std::get_if<transfer::http_answer>(&got)) {
        if (answer->status >= 200 && answer->status < 300) {
            out.rejected = read_rejected(answer->body, spans);
            return out;
        }
        out.why = "status " + std::to_string(answer->status);
        repeatable = may_be_repeated(answer->status);
        out.pause = std::min(answer->retry_after.value_or(usual_pause), longest_pause);
    } else {
        auto const& failure = std::get<transfer::http_failure>(got);
        out.why = to_string(failure.why);
        repeatable = failure.why != transfer::http_failure::kind::too_large;
    }
    out.what = repeatable && attempts < most_attempts ? delivery::kind::again : delivery::kind::refused;
    return out;
}

} // namespace recruiting::tracing
