#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

result<uuid> path_id(bind_input const& in) {
    auto const id = parse_id(in.path[0]);
    if (!id) return make_error(error_code::not_found);
    return *id;
}

result<void> finish_query(bind_input& in) {
    in.query.refuse_unknown();
    if (!in.query.ok()) return invalid_request(in.query.take_problems());
    return {};
}

} // namespace recruiting::auth_api
