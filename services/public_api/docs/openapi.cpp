#include "public_api/docs/openapi.hpp"

#include "public_api/answer.hpp"

namespace recruiting::public_api {

result<plan> get_openapi(call const&) {
    static auto const body = std::make_shared<std::string const>(openapi_document());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.shared_body = body;
    answer.add("ETag", etag);
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
