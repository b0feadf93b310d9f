#include "telemetry/span.hpp"

#include "core/text.hpp"

#include <utility>

namespace recruiting::tracing {

context tracer::enter(std::optional<context> const& caller) const {
    if (caller) return {caller->trace, new_span_id(), caller->sampled};
    auto const trace = new_trace_id();
    return {trace, new_span_id(), share_.takes(trace)};
}

span::span(parent const& own, std::optional<context> const& caller, span_kind kind, std::string_view name,
           std::chrono::steady_clock::time_point began) {
    if (!own.records()) return;
    begin(own, kind, name, began);
    data_->own = own.at;
    if (!caller) return;
    data_->parent = caller->span;
    data_->parent_remote = true;
}

span::span(parent const& above, span_kind kind, std::string_view name) {
    if (!above.records()) return;
    begin(above, kind, name, std::chrono::steady_clock::now());
    data_->own = {above.at.trace, new_span_id(), true};
    data_->parent = above.at.span;
}

void span::begin(parent const& under, span_kind kind, std::string_view name,
                 std::chrono::steady_clock::time_point began) {
    constexpr std::size_t usual_attributes = 10;
    data_ = std::make_unique<span_data>();
    by_ = under.by;
    began_ = began;
    data_->kind = kind;
    data_->name = name;
    data_->attributes.reserve(usual_attributes);
    auto const ago = std::chrono::steady_clock::now() - began;
    data_->start = std::chrono::system_clock::now().time_since_epoch() - ago;
}

span& span::operator=(span&& other) noexcept {
    if (this == &other) return *this;
    end();
    data_ = std::move(other.data_);
    by_ = other.by_;
    began_ = other.began_;
    return *this;
}

void span::add(std::string_view key, attribute::value_type value) {
    if (data_) data_->attributes.push_back({key, std::move(value)});
}

span& span::set(std::string_view key, std::string_view value) {
    if (data_) data_->attributes.push_back({key, std::string(value)});
    return *this;
}

span& span::rename(std::string_view name) {
    if (data_) data_->name = name;
    return *this;
}

span& span::fail(std::string_view error_type) {
    if (!data_ || data_->failed) return *this;
    data_->failed = true;
    return set("error.type", error_type);
}

span& span::set_server(std::string_view address) {
    auto const colon = address.rfind(':');
    auto const port =
        colon == std::string_view::npos ? std::nullopt : parse_number<std::uint16_t>(address.substr(colon + 1));
    set("server.address", port ? address.substr(0, colon) : address);
    return port ? set("server.port", *port) : *this;
}

parent span::or_parent(parent const& otherwise) const noexcept { return data_ ? parent{by_, data_->own} : otherwise; }

void span::end() noexcept {
    if (!data_) return;
    data_->end = data_->start + (std::chrono::steady_clock::now() - began_);
    by_->sink()->take(std::move(data_));
}

span root_span(tracer const* by, span_kind kind, std::string_view name) {
    if (by == nullptr) return {};
    return span({by, by->enter(std::nullopt)}, std::nullopt, kind, name);
}

} // namespace recruiting::tracing
