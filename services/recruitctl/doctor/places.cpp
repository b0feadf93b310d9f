#include "recruitctl/doctor/places.hpp"

namespace recruiting::recruitctl {

doctor::where_to_look places_of(invocation const& call) {
    doctor::where_to_look out;
    if (auto const given = call.find("--config-dir")) out.config_directory = *given;
    else out.run_directory = call.setting("RECRUITING_UP_DIR").value_or("");
    if (auto const given = call.find("--run-dir")) out.run_directory = *given;
    return out;
}

std::vector<endpoint> admin_ports(invocation const& call, std::string const& program) {
    auto const option = "--" + program;
    std::vector<endpoint> out;
    for (auto const& text : call.list(option)) {
        auto const where = parse_endpoint(text);
        if (!where) throw usage_error(option + " must be HOST:PORT or unix:/path, of the admin port");
        out.push_back(*where);
    }
    return out;
}

} // namespace recruiting::recruitctl
