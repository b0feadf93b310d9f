#include "public_api/catalogue/endpoints.hpp"
#include "public_api/feeds/feed_documents.hpp"
#include "public_api/feeds/feed_page.hpp"
#include "public_api/feeds/job_board.hpp"
#include "public_api/feeds/job_posting.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::size_t feed_size = 100; // jobs a page of RSS and JSON Feed

plan answer_with(std::string_view content_type, std::string body) {
    http::response answer;
    answer.content_type = content_type;
    answer.body = std::move(body);
    return answered(std::move(answer));
}

feed_page page_of(published_organization const& of, call const& from) {
    return page_of(of, from.now, asked_page(from.request.query), feed_size);
}

} // namespace

result<plan> get_job_posting(call const& from) {
    auto const id = parse_id(from.params[0]);
    auto const found = id ? from.published.find_job(*id, from.now) : catalogue::entry{};
    if (found.job == nullptr) return make_error(error_code::not_found);
    return answer_with("application/ld+json", job_posting(*found.organization, *found.job));
}

result<plan> get_rss(call const& from) {
    auto const found = named_organization(from, from.params[0]);
    if (!found) return found.error();
    return answer_with("application/rss+xml; charset=utf-8", rss(**found, page_of(**found, from), from.public_url));
}

result<plan> get_json_feed(call const& from) {
    auto const found = named_organization(from, from.params[0]);
    if (!found) return found.error();
    return answer_with("application/feed+json", json_feed(**found, page_of(**found, from), from.public_url));
}

result<plan> get_job_board_xml(call const& from) {
    auto const found = named_organization(from, from.params[0]);
    if (!found) return found.error();
    return answered(job_board_answer(**found, {from.public_url, from.now}));
}

result<plan> get_sitemap(call const& from) {
    auto const found = named_organization(from, from.params[0]);
    if (!found) return found.error();
    bool const names_page = from.request.query.find("page=") != std::string_view::npos;
    auto const page = names_page ? std::optional(asked_page(from.request.query)) : std::nullopt;
    return answer_with("application/xml; charset=utf-8", sitemap(**found, {from.public_url, from.now}, page));
}

} // namespace recruiting::public_api
