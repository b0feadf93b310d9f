#include "public_api/catalogue/get_job.hpp"

namespace recruiting::public_api {

result<plan> get_job(call const& from) {
    auto const id = parse_id(from.params[0]);
    auto const found = id ? from.published.find_job(*id, from.now) : catalogue::entry{};
    if (found.job == nullptr) return make_error(error_code::not_found);
    http::response answer;
    answer.shared_body = found.job->body;
    answer.add("ETag", found.job->etag);
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
