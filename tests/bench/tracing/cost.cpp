// What tracing costs a request, in CPU time of one thread: ids, header fields, a span that is not recorded and one that
// is.
#include "telemetry/span.hpp"
#include "tracing/otlp_json.hpp"

#include <cstdio>
#include <ctime>

using namespace recruiting::tracing;

namespace {

constexpr int rounds = 1'000'000;
constexpr int recorded_rounds = 100'000;

double cpu_now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The compiler must not see through what is measured.
template <class T>
void keep(T const& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

template <class Work>
void measure(char const* what, int times, Work work) {
    auto const began = cpu_now();
    for (int i = 0; i < times; ++i) work();
    std::printf("%-40s %6.0f ns\n", what, (cpu_now() - began) / times);
}

struct span_store final : span_sink {
    span_list spans;
    void take(std::unique_ptr<span_data> ended) noexcept override { spans.push_back(std::move(ended)); }
};

void describe(span& request) {
    request.set("http.request.method", "GET").set("url.scheme", "http").set("http.route", "/api/v1");
    request.set("network.protocol.version", "1.1").set("recruiting.request_id", "0123456789abcdef0123456789abcdef");
    request.set("recruiting.rate_limit", "allowed").set("http.response.status_code", 200);
}

} // namespace

int main() {
    span_store store;
    store.spans.reserve(recorded_rounds);
    tracer const none(0, &store);
    tracer const all(1, &store);
    std::string const field = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    auto const unsampled = none.enter(std::nullopt);
    std::string out;
    measure("new ids", rounds, [&] { keep(none.enter(std::nullopt)); });
    measure("reading a traceparent", rounds, [&] { keep(parse_traceparent(field)); });
    measure("writing a traceparent", rounds, [&] {
        out.clear();
        append_traceparent(out, unsampled);
        keep(out);
    });
    measure("a span that is not recorded", rounds, [&] { keep(span({&none, unsampled}, span_kind::client, "GET")); });
    measure("a recorded span with 7 attributes", recorded_rounds, [&] {
        span request({&all, all.enter(std::nullopt)}, std::nullopt, span_kind::server, "GET /api/v1");
        describe(request);
    });
    auto const spans = static_cast<double>(store.spans.size());
    auto const began = cpu_now();
    auto const bytes = static_cast<double>(export_request({}, store.spans).size());
    std::printf("%-40s %6.0f ns, %.0f bytes\n", "its JSON, on the exporter's thread", (cpu_now() - began) / spans,
                bytes / spans);
}
