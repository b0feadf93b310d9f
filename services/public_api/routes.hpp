// The public API on one screen, and which row of it a request means. Pure.
#pragma once
#include "http/endpoint.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

#include <span>
#include <string_view>

namespace recruiting::public_api {

using route = http::route<action>;
using route_match = http::route_match<action>;

[[nodiscard]] std::span<route const> routes() noexcept;

/// OPTIONS is a preflight on every path but the documentation's, and part of their Allow.
[[nodiscard]] route_match find_route(std::string_view method, std::string_view path);

[[nodiscard]] bool is_document(route_match const& match) noexcept;

/// The organization whose pages, job or data the path names; nullptr when it has published nothing of the kind.
[[nodiscard]] published_organization const* organization_of(route_match const& match, catalogue const& published,
                                                            timestamp now);

} // namespace recruiting::public_api
