// A request's head, from its bytes to what the service gets.
// Holds: where a head ends does not depend on how its bytes were cut; what is sent on is accepted as it stands, has the
// same meaning, and means the same to a careless reader.
#include "check.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "http/loggable_path.hpp"
#include "http/message_parser.hpp"
#include "lax_reader.hpp"
#include "refusal.hpp"

namespace {

using namespace recruiting;
using namespace recruiting::gateway;
using namespace recruiting::http;
using fuzz::check;

constexpr head_limits small{2048, 512, 256, 20};

// Where the head ends; 0: nowhere, or refused.
std::size_t find_end(std::string_view data, fuzz::pieces cut) {
    auto const whole = head_scanner().scan(data, small);
    head_scanner gate;
    for (std::size_t have = 0; have < data.size();) {
        have = std::min(have + cut.next(), data.size());
        auto const found = gate.scan(data.substr(0, have), small);
        if (found.fault) {
            check(whole.fault || whole.size > 0, "a fault in part is a fault, or one that parsing finds");
            request_head head;
            if (whole.size > 0)
                check(request_parser(small).parse_head(data.substr(0, whole.size), head).has_value(),
                      "found early, found late");
            return 0;
        }
        if (found.size > 0) {
            check(found.size == whole.size, "a head ends where it ends");
            return found.size;
        }
    }
    check(whole.size == 0 && !whole.fault, "the last look is the whole");
    return 0;
}

void check_fields(head_fields const& fields) {
    for (auto const& one : fields.list) {
        check(is_token(one.name), "names are tokens");
        check(one.line.ends_with("\r\n"), "lines end with CRLF");
        check(one.line.substr(0, one.line.size() - 2).find_first_of(std::string_view("\r\n\0", 3)) ==
                  std::string_view::npos,
              "lines are lines");
        check(fields.has(one.id), "what is there is known to be there");
    }
}

void check_for_careless(std::string const& sent, client_request const& x) {
    auto const lax = fuzz::read_laxly(sent);
    auto const lengths = lax.values("content-length");
    auto const codings = lax.values("transfer-encoding");
    check(lax.first_line ==
              std::string(x.head.method) + " " + std::string(x.where.path) + std::string(x.where.query) + " HTTP/1.1",
          "one request line");
    check(lax.values("?").empty(), "every line is a field");
    check(lax.values("host").size() == 1, "one Host");
    check(lengths.size() + codings.size() <= 1, "one framing");
    check(codings.empty() == (x.body.type != framing::kind::chunked), "chunked or not");
    check(x.body.type != framing::kind::length || (lengths.size() == 1 && lengths[0] == std::to_string(x.body.length)),
          "the length");
    check(lax.values("x-forwarded-for") == std::vector<std::string>{"203.0.113.7"}, "the client is the edge's to say");
    check(lax.values("forwarded").size() == 1 && lax.values("x-real-ip").empty(), "and nobody else's");
    for (auto const* name :
         {"connection", "keep-alive", "te", "upgrade", "trailer", "proxy-authorization", "proxy-connection", "expect"})
        check(lax.values(name).empty(), "hop-by-hop");
    if (!x.to->takes_credentials())
        check(lax.values("authorization").empty() && lax.values("cookie").empty(), "no credentials to the public API");
}

std::vector<ip_network> const everywhere = {*parse_network("::/0"), *parse_network("0.0.0.0/0")};
tracing::tracer const tracer(0.5, nullptr);

// The gateway's own fields: with them, a head that it just accepts has more than it accepts itself.
constexpr std::size_t own_fields = 16;

void check_sent(client_request& x) {
    if (x.head.fields.list.size() + own_fields > head_limits{}.fields) return;
    std::string sent;
    x.client = *parse_ip("203.0.113.7");
    append_request_head(sent, x, "localhost");
    check_for_careless(sent, x);
    client_request again;
    again.head_text = sent;
    check(!read_request(again), "what is sent on is accepted");
    check(again.head.method == x.head.method && again.where.path == x.where.path && again.where.query == x.where.query,
          "the same request");
    check(again.where.storage.empty() || again.where.storage == again.where.path, "a normal path is normal");
    check(again.host == (x.host.empty() ? "localhost" : x.host) && again.body == x.body && again.to == x.to,
          "to the same place, with the same body");
    check(again.request_id == x.request_id, "the same id");
    enter_trace(again, again.client, everywhere, tracer);
    check(again.caller == x.call && again.trace.trace == x.call.trace, "the same trace");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input in(data, size);
    fuzz::pieces const cut(in.byte());
    auto const end = find_end(in.rest(), cut);
    if (end == 0) return 0;
    client_request x;
    x.head_text = in.rest().substr(0, end);
    auto const refused = read_request(x);
    check(!x.request_id.empty(), "there is always a request id");
    if (refused) {
        fuzz::check_refusal(refused->error, size);
        return 0;
    }
    check_fields(x.head.fields);
    static_cast<void>(find_exposure(x.head));
    static_cast<void>(loggable_path(x.where.path));
    find_client(x, *parse_ip("127.0.0.1"), {*parse_network("0.0.0.0/1")});
    enter_trace(x, x.client, everywhere, tracer);
    if (x.to != nullptr) check_sent(x);
    return 0;
}
