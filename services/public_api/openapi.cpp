#include "public_api/openapi.hpp"

#include "public_api/answer.hpp"

namespace recruiting::public_api {

result<plan> get_openapi(call const&) {
    plan out;
    out.render = [](std::vector<pg::rows> const&) -> result<http::response> {
        static std::string const etag = etag_of(openapi_document());
        http::response answer;
        answer.add("ETag", etag);
        answer.body = openapi_document();
        return answer;
    };
    return out;
}

} // namespace recruiting::public_api
