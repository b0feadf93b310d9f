#include "public_api/catalogue/named_organization.hpp"

namespace recruiting::public_api {

result<published_organization const*> named_organization(call const& from, std::string_view slug) {
    auto const* const found = from.published.find_organization(slug);
    if (found == nullptr) return make_error(error_code::not_found);
    return found;
}

} // namespace recruiting::public_api
