// A request's target and its Host.
// Holds: a normalised path is normal, is made of path characters only, climbs nowhere, and leads to the same route when
// a service decodes it once more.
#include "check.hpp"
#include "core/text.hpp"
#include "gateway/client_request.hpp"
#include "http/request_target.hpp"

namespace {

using namespace recruiting;
using namespace recruiting::gateway;
using namespace recruiting::http;
using fuzz::check;

void check_path(std::string const& path) {
    check(path.starts_with('/'), "a path begins with a slash");
    check(path.find("//") == std::string::npos, "no empty segment");
    for (auto const segment : split(path, '/')) check(segment != "." && segment != "..", "no dot segment");
    for (char const c : path)
        check(c > ' ' && c < 0x7f && std::string_view("\\#?<>\"{}|^`[]").find(c) == std::string_view::npos,
              "path characters");
    auto const decoded = percent_decode(path);
    check(decoded.has_value(), "escapes are escapes");
    if (path.find("%25") != std::string::npos) return; // an escaped percent sign stays one: decoded once, not twice
    check(decoded->find_first_of(std::string_view("\\\0\r\n", 4)) == std::string::npos, "nothing hides in escapes");
    check(split(*decoded, '/').size() == split(path, '/').size(), "no slash either");
    check(find_route(*decoded) == find_route(path), "decoded or not: the same route");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input const in(data, size);
    target out;
    if (parse_target(in.rest(), out) == target_fault::none && out.type == target::form::path) {
        std::string const path(out.path);
        check_path(path);
        check(out.query.empty() || out.query.starts_with('?'), "a query begins with its mark");
        check(out.authority.empty() || is_authority(out.authority), "the authority is one");
        target again;
        check(parse_target(path, again) == target_fault::none && again.path == path, "normal is normal");
    }
    if (is_authority(in.rest())) {
        check(!in.rest().empty() &&
                  in.rest().find_first_of(std::string_view("@/?#\\, \t\r\n\0%", 13)) == std::string_view::npos,
              "a host is a host");
        auto const colons = split(in.rest(), ':').size();
        check(colons <= 2 || in.rest().front() == '[', "one port");
    }
    return 0;
}
