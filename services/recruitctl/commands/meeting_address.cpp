#include "recruitctl/commands/meeting_address.hpp"

namespace recruiting::recruitctl {

std::optional<std::string> url_or_clear(invocation const& call) {
    if (call.has("--url") == call.has("--clear")) throw usage_error("give either --url or --clear");
    return call.find("--url");
}

} // namespace recruiting::recruitctl
