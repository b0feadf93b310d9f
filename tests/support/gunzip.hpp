#pragma once
#include <string>
#include <string_view>

namespace recruiting::test {

struct gunzipped {
    std::string text; // of as much as there is
    bool whole{false};
};
/// What a client reads from gzip (RFC 1952) that has arrived so far. Throws on anything that is not gzip.
[[nodiscard]] gunzipped gunzip(std::string_view bytes);

} // namespace recruiting::test
