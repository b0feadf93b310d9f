#include "auth_api/agent/builtin/record.hpp"

#include <boost/json/parse.hpp>

namespace recruiting::auth_api::agent::responder {
namespace json = boost::json;

record record::operator[](std::string_view name) const noexcept {
    if (value_ == nullptr || !value_->is_object()) return {};
    return record(value_->get_object().if_contains(name));
}

std::vector<record> record::items() const {
    std::vector<record> out;
    if (value_ == nullptr || !value_->is_array()) return out;
    for (auto const& item : value_->get_array()) out.emplace_back(&item);
    return out;
}

std::string_view record::text() const noexcept {
    if (value_ == nullptr || !value_->is_string()) return {};
    return value_->get_string();
}

std::optional<std::int64_t> record::number(std::string_view name) const noexcept {
    auto const* const found = (*this)[name].value_;
    if (found == nullptr || !found->is_int64()) return std::nullopt;
    return found->get_int64();
}

bool record::is_true(std::string_view name) const noexcept {
    auto const* const found = (*this)[name].value_;
    return found != nullptr && found->is_bool() && found->get_bool();
}

std::optional<json::value> read_result(std::string_view text) {
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (error) return std::nullopt;
    return value;
}

} // namespace recruiting::auth_api::agent::responder
