// The public API on one screen, and which row of it a request means. Pure.
#pragma once
#include "http/endpoint.hpp"
#include "public_api/catalogue/catalogue.hpp"
#include "public_api/http/plan.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::public_api {

using route = http::route<action>;
using route_match = http::route_match<action>;

[[nodiscard]] std::span<route const> routes() noexcept;

/// OPTIONS is a preflight on every path but the documentation's, and part of their Allow.
[[nodiscard]] route_match find_route(std::string_view method, std::string_view path);

/// The address of the page that a GET means with a slash at the end, a slug in upper case or an id in another form: a
/// path of ours with the request's query. nullopt for a page's own address, and where there is no page. Tokens of links
/// are case-sensitive and stay as they are.
[[nodiscard]] std::optional<std::string> moved_page(http::request const& req, catalogue const& published,
                                                    timestamp now);

[[nodiscard]] bool is_document(route_match const& match) noexcept;

/// The organization whose pages, job or data the path names; nullptr when it has published nothing of the kind.
[[nodiscard]] published_organization const* organization_of(route_match const& match, catalogue const& published,
                                                            timestamp now);

} // namespace recruiting::public_api
