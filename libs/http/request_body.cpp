#include "http/request_body.hpp"

#include "core/text.hpp"

namespace recruiting::http {

std::optional<api_error> refuse_body(request const& req, std::string_view media_type, std::int64_t longest) {
    auto const field = req.header("Content-Type");
    if (req.header_count("Content-Type") != 1 || !iequals(trim(field.substr(0, field.find(';'))), media_type)) {
        auto refused = make_error(error_code::unsupported_media_type);
        refused.message = "The request's body must be " + std::string(media_type) + ".";
        return refused;
    }
    if (req.body.size() <= static_cast<std::size_t>(longest)) return std::nullopt;
    auto refused = make_error(error_code::payload_too_large);
    refused.message = "The request's body must be at most " + std::to_string(longest) + " bytes long.";
    return refused;
}

} // namespace recruiting::http
