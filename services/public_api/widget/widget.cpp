#include "public_api/widget/widget.hpp"

#include "public_api/http/answer.hpp"

namespace recruiting::public_api {

result<plan> get_widget(call const&) {
    static auto const body = std::make_shared<std::string const>(widget_script());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.content_type = "text/javascript; charset=utf-8";
    answer.shared_body = body;
    answer.add("ETag", etag);
    // Long enough that visitors of a site do not ask at each page, short enough that a repaired widget gets around.
    answer.add("Cache-Control", "public, max-age=3600, stale-while-revalidate=86400");
    answer.add("Cross-Origin-Resource-Policy", "cross-origin"); // for pages that require it of all they embed
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
