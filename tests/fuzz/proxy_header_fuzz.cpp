// The PROXY protocol's header.
// Holds: what a prefix is found to be, complete or malformed, more bytes don't change; version 1 and 2 never both fit.
#include "check.hpp"
#include "gateway/http1/proxy_protocol.hpp"

namespace {

using namespace recruiting::gateway;
using recruiting::fuzz::check;
using progress = proxy_header::progress;

void check_growing(std::string_view data, proxy_protocol accepted) {
    auto const whole = parse_proxy_header(data, accepted);
    check(whole.state != progress::complete || (whole.size > 0 && whole.size <= data.size()),
          "a header lies in what came");
    for (std::size_t size = 0; size < data.size(); ++size) {
        auto const part = parse_proxy_header(data.substr(0, size), accepted);
        if (part.state == progress::incomplete) continue;
        check(part.state == whole.state && part.size == whole.size && part.client == whole.client,
              "more bytes change nothing");
        return;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    recruiting::fuzz::input const in(data, size);
    auto const text = in.rest().substr(0, 600);
    for (auto const accepted : {proxy_protocol::v1, proxy_protocol::v2, proxy_protocol::any})
        check_growing(text, accepted);
    bool const v1 = parse_proxy_header(text, proxy_protocol::v1).state == progress::complete;
    bool const v2 = parse_proxy_header(text, proxy_protocol::v2).state == progress::complete;
    bool const any = parse_proxy_header(text, proxy_protocol::any).state == progress::complete;
    check(!(v1 && v2) && any == (v1 || v2), "one version");
    return 0;
}
