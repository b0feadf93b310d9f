// An answer's head, from its bytes to what the client gets.
// Holds: what is sent on is an answer with the same status and framing, and means the same to a careless reader.
#include "check.hpp"
#include "gateway/forwarded_head.hpp"
#include "http/message_parser.hpp"
#include "lax_reader.hpp"

namespace {

using namespace recruiting;
using namespace recruiting::gateway;
using namespace recruiting::http;
using fuzz::check;
using kind = framing::kind;

constexpr head_limits small{2048, 512, 256, 20};
constexpr head_limits roomy{16384, 4096, 4096, 100};

void check_sent(std::string const& sent, response_head const& answer, framing body, downstream_body down,
                client_request const& x) {
    auto const lax = fuzz::read_laxly(sent);
    auto const lengths = lax.values("content-length");
    auto const codings = lax.values("transfer-encoding");
    check(lax.first_line.starts_with("HTTP/1.1 " + std::to_string(answer.status)), "the status");
    check(lax.values("?").empty(), "every line is a field");
    check(lengths.size() + codings.size() <= 1, "one framing");
    check(codings.empty() != down.chunked, "chunked or not");
    check(body.type != kind::length || (lengths.size() == 1 && lengths[0] == std::to_string(body.length)),
          "the length");
    check(lax.values("x-request-id") == std::vector<std::string>{x.request_id}, "the request id is the edge's");
    check(lax.values("connection").size() == (x.keep_alive && x.head.minor_version == 1 ? 0U : 1U),
          "the connection too");
    for (auto const* name : {"keep-alive", "te", "upgrade", "trailer", "proxy-authenticate"})
        check(lax.values(name).empty(), "hop-by-hop");

    response_head again;
    check(!response_parser(x.is_head(), roomy).parse_head(sent, again),
          "what is sent on is an answer, with clear framing");
    check(again.status == answer.status, "the same answer");
    auto const framed = again.body;
    if (body.type == kind::none)
        check(framed.type == kind::none || framed.type == kind::until_close, "no body stays none");
    if (body.type == kind::length) check(framed == body, "a length stays");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input in(data, size);
    auto const how = in.byte();
    auto const found = head_scanner().scan(in.rest(), small);
    client_request x;
    x.head.method = (how & 1U) != 0 ? "HEAD" : "GET";
    response_head answer;
    response_parser parser(x.is_head(), small);
    if (found.size == 0 || parser.parse_head(in.rest().substr(0, found.size), answer)) return 0;
    x.head.minor_version = (how & 2U) != 0 ? 0 : 1;
    x.keep_alive = (how & 4U) != 0;
    x.request_id = "0123456789";
    auto const body = answer.body;
    static_cast<void>(read_connection(answer.fields));
    if (answer.status < 200) return 0;
    auto const down = choose_downstream(x, body);
    x.keep_alive = x.keep_alive && !down.until_close;
    std::string sent;
    append_response_head(sent, answer, down, x);
    check_sent(sent, answer, body, down, x);
    return 0;
}
