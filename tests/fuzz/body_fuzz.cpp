// A body in chunks, with a length, or until close.
// Holds: content, end and fault don't depend on how the bytes were cut; what was read and framed again reads the same;
// a reader written another way agrees.
#include "check.hpp"
#include "http/message_parser.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace recruiting;
using namespace recruiting::http;
using fuzz::check;
using kind = framing::kind;

constexpr chunk_limits limits{64, 64, 4};

struct body_outcome {
    std::string content;
    std::size_t consumed{0};
    bool finished{false};
    body_fault fault{body_fault::none};
};

template <class Parser, class Head>
void begin(Parser& parser, std::string const& first_line, framing how) {
    auto text = first_line;
    if (how.type == kind::chunked) text += "Transfer-Encoding: chunked\r\n";
    if (how.type == kind::length) text += "Content-Length: " + std::to_string(how.length) + "\r\n";
    text += "\r\n";
    Head head;
    check(!parser.parse_head(text, head), "a head of this file's own");
    check(head.body == how, "with this framing");
}

// cut: nullopt: all at once. What is not consumed comes again.
body_outcome follow(body_reader& reader, std::string_view bytes, std::optional<fuzz::pieces> cut) {
    body_outcome out;
    out.finished = reader.finished();
    std::string held;
    for (std::size_t at = 0; at < bytes.size() && !out.finished && out.fault == body_fault::none;) {
        auto const size = cut ? std::min(cut->next(), bytes.size() - at) : bytes.size();
        held += bytes.substr(at, size);
        at += size;
        auto const step = reader.next({held.data(), held.size()});
        check(step.consumed <= held.size(), "no more is consumed than was given");
        out.content += step.content;
        out.consumed += step.consumed;
        held.erase(0, step.consumed);
        out.finished = step.finished;
        out.fault = step.fault;
        check(held.size() < 256 || step.finished || step.fault != body_fault::none, "little is left for the next time");
    }
    if (out.fault == body_fault::none) check(reader.received() == out.content.size(), "what was received is counted");
    return out;
}

body_outcome read(framing how, std::string_view bytes, std::optional<fuzz::pieces> cut) {
    response_parser answer(false, {});
    request_parser request({}, limits);
    if (how.type == kind::until_close) {
        begin<response_parser, response_head>(answer, "HTTP/1.1 200 OK\r\n", how);
        return follow(answer, bytes, cut);
    }
    begin<request_parser, request_head>(request, "POST / HTTP/1.1\r\n", how);
    return follow(request, bytes, cut);
}

// Another way to read chunks: line by line, over the whole text. nullopt: no whole body.
std::optional<std::pair<std::string, std::size_t>> read_by_line(std::string_view text) {
    std::string content;
    for (std::size_t at = 0;;) {
        auto const end = text.find("\r\n", at);
        if (end == std::string_view::npos) return std::nullopt;
        auto const size = std::strtoull(std::string(text.substr(at, end - at)).c_str(), nullptr, 16);
        at = end + 2;
        if (size == 0) {
            for (;;) { // trailers
                auto const line = text.find("\r\n", at);
                if (line == std::string_view::npos) return std::nullopt;
                bool const empty = line == at;
                at = line + 2;
                if (empty) return std::pair(content, at);
            }
        }
        if (text.size() - at < size + 2) return std::nullopt;
        content += text.substr(at, size);
        at += size + 2;
    }
}

std::string in_chunks(std::string const& content) {
    if (content.empty()) return "0\r\n\r\n";
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", content.size());
    return size + content + "\r\n0\r\n\r\n";
}

framing choose(std::uint8_t how) {
    switch (how % 8) {
    case 0: return {kind::none, 0};
    case 1: return {kind::until_close, 0};
    case 2: return {kind::length, 1U + how};
    default: return {kind::chunked, 0};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input in(data, size);
    auto const how = choose(in.byte());
    fuzz::pieces const cut(in.byte());
    auto const whole = read(how, in.rest(), std::nullopt);
    auto const parts = read(how, in.rest(), cut);
    check(whole.finished == parts.finished && (whole.fault == body_fault::none) == (parts.fault == body_fault::none),
          "however it is cut");
    if (whole.fault != body_fault::none) return 0;
    check(whole.consumed == parts.consumed, "to the same end");
    check(whole.content == parts.content, "the same content");
    if (how.type != kind::chunked || !whole.finished) return 0;
    auto const by_line = read_by_line(in.rest());
    check(by_line && by_line->first == whole.content && by_line->second == whole.consumed, "another reader agrees");
    auto const again = read(how, in_chunks(whole.content), cut);
    check(again.finished && again.content == whole.content, "what is sent on reads the same");
    return 0;
}
