// The body of POST /agent/invoke and its Idempotency-Key: JSON from anybody with a key.
// Holds: what is refused is refused as any request is; what is accepted is a prompt within its limit, and says the same
// when it is written and read again.
#include "auth_api/agent/invoke/invocation.hpp"
#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "refusal.hpp"

namespace {

using namespace recruiting;
using fuzz::check;

constexpr std::int64_t longest = 100;

http::request request_of(std::string_view body, std::string_view key) {
    http::request req;
    req.method = "POST";
    req.headers.emplace_back("Content-Type", "application/json");
    if (!key.empty()) req.headers.emplace_back("Idempotency-Key", key);
    req.body = body;
    return req;
}

std::string written(auth_api::agent::invocation const& wanted) {
    std::string body;
    http::json_writer json(body);
    json.open_object().field("prompt", wanted.prompt);
    if (wanted.session_id) json.field("sessionId", to_string(*wanted.session_id));
    json.close_object();
    return body;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input in(data, size);
    auto const cut = std::min<std::size_t>(in.byte() % 16, in.rest().size());
    auto const key = in.rest().substr(0, cut);
    auto const body = in.rest().substr(cut);
    auto const read = auth_api::agent::read_invocation(request_of(body, key), longest);
    if (!read) {
        fuzz::check_refusal(read.error(), size);
        return 0;
    }
    check(!read->prompt.empty() && read->prompt.size() <= 4 * longest, "a prompt within its limit");
    check(read->prompt.find('\0') == std::string::npos, "no NUL");
    check(!auth_api::agent::session_title(read->prompt).empty(), "a session has a title");
    auto const again = auth_api::agent::read_invocation(request_of(written(*read), {}), longest);
    check(again && again->prompt == read->prompt && again->session_id == read->session_id, "written and read again");
    return 0;
}
