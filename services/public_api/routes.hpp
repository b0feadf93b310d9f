// The public API on one screen, and which row of it a request means. Pure.
#pragma once
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// The pattern of a row that takes its base itself and every path below it.
inline constexpr std::string_view everything_below = "";

struct route {
    std::string_view method; // GET also answers HEAD; OPTIONS is a preflight on any path
    std::string_view base;   // prefix, pages or documentation
    std::string_view pattern;
    public_api::action action;
};

[[nodiscard]] std::span<route const> routes() noexcept;

struct route_match {
    std::optional<std::size_t> index; // of routes(): of the path, even where the method does not fit
    http::path_params params;
    std::string allow; // not empty: the path is there and the method is not; what it has
    [[nodiscard]] bool is_document() const noexcept;
};

[[nodiscard]] route_match find_route(std::string_view method, std::string_view path);

/// Whose pages or job the path names; nullptr: none's that has published it.
[[nodiscard]] published_organization const* organization_of(route_match const& match, catalogue const& published,
                                                            timestamp now);

} // namespace recruiting::public_api
