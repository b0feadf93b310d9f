#include "public_api/docs/document_site.hpp"

#include "core/log.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/http/plan.hpp"
#include "public_api/pages/page.hpp"

#include <array>
#include <utility>

namespace recruiting::public_api {
namespace {

// Everything comes from this site: what is not named here, a page can't do.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> protection = {{
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                "connect-src 'self'; base-uri 'none'; "
                                "form-action 'none'; frame-ancestors 'none'"},
    {"Referrer-Policy", "no-referrer"},
}};

http::response redirect_to_folder(http::request const& request) {
    std::string to(request.path);
    to += '/';
    if (!request.query.empty()) to.append("?").append(request.query);
    auto answer = redirect(308, std::move(to));
    answer.add("Cache-Control", "no-cache");
    return answer;
}

} // namespace

std::shared_ptr<document_site const> read_documents(std::string const& folder) {
    if (folder.empty()) return nullptr;
    auto site = http::load_site(folder, "RECRUITING_PUBLIC_API_DOCS");
    log::info("docs_loaded", {{"files", site->files()}, {"bytes", site->bytes()}});
    return site;
}

std::optional<http::response> answer_document(document_site const& site, http::request const& request,
                                              std::string_view path) {
    if (auto const* const found = site.find(path)) return http::show_document(*found, request, protection);
    if (site.is_folder(path)) return redirect_to_folder(request);
    auto const* const page = site.missing_page();
    if (page == nullptr || !http::accepts(http::list_of(request, "Accept"), "text/html")) return std::nullopt;
    return http::show_missing(*page, request, protection);
}

// A document that is missing is missing whether or not the published jobs are known yet: the refusal is made here.
result<plan> get_document(action_input const& input) {
    auto shown = input.documents == nullptr ? std::nullopt
                                            : answer_document(*input.documents, input.request,
                                                              input.request.path.substr(documentation.size()));
    if (shown) return std::move(*shown);
    return refusal(make_error(error_code::not_found), input.request, input.request_id);
}

result<plan> get_openapi(action_input const&) {
    static auto const body = std::make_shared<std::string const>(openapi_document());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.shared_body = body;
    answer.add("ETag", etag);
    return answer;
}

} // namespace recruiting::public_api
