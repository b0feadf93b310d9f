#include "gateway/answers/credential_exposure.hpp"

namespace recruiting::gateway {

std::optional<exposed_key> find_exposure(http::request_head const& head) {
    for (auto const& one : head.fields.list)
        if (auto found = find_key_in_field(one.name, one.value)) return found;
    return find_key_in_target(head.target);
}

} // namespace recruiting::gateway
