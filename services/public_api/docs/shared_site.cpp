#include "public_api/docs/shared_site.hpp"

#include "core/log.hpp"
#include "public_api/pages/page.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>

namespace recruiting::public_api {
namespace {

// Some ten times this project's own documentation: a folder with more is another one.
constexpr http::site_limits site_limits{2'000, std::int64_t{64} << 20, "2,000 files or 64 MiB"};

} // namespace

void declare_documents(settings_reader& reader, document_settings& to) {
    reader.text("RECRUITING_PUBLIC_API_DOCS", to.folder,
                "Folder of the built documentation (scripts/docs), served under /docs from memory and read again with "
                "SIGHUP; empty: /docs is 404.");
}

shared_site::shared_site(document_settings settings, metrics::registry& registry)
    : settings_(std::move(settings)), counters_{registry} {
    if (!settings_.folder.empty()) read();
}

std::shared_ptr<document_site const> shared_site::current() const {
    std::lock_guard const lock(mutex_);
    return site_;
}

void shared_site::reload() {
    if (settings_.folder.empty()) return;
    try {
        read();
    } catch (std::exception const& error) {
        counters_.failed_reloads.add();
        log::error("docs_reload_failed", {{"message", error.what()}});
    }
}

void shared_site::read() {
    std::shared_ptr<document_site const> fresh;
    try {
        fresh = std::make_shared<document_site const>(http::read_site(settings_.folder, site_limits));
    } catch (std::filesystem::filesystem_error const& error) {
        throw std::runtime_error("RECRUITING_PUBLIC_API_DOCS: " + std::string(error.what()));
    }
    if (fresh->find("/") == nullptr)
        throw std::runtime_error("RECRUITING_PUBLIC_API_DOCS: there is no index.html in " + settings_.folder);
    counters_.files.set(static_cast<std::int64_t>(fresh->files()));
    counters_.bytes.set(static_cast<std::int64_t>(fresh->bytes()));
    log::info("docs_loaded", {{"files", fresh->files()}, {"bytes", fresh->bytes()}});
    std::lock_guard const lock(mutex_);
    site_.swap(fresh);
}

// A document that is missing is missing whether or not the published jobs are known yet: the refusal is made here.
result<plan> get_document(action_input const& input) {
    auto const site = input.documents == nullptr ? nullptr : input.documents->current();
    auto shown =
        site ? answer_document(*site, input.request, input.request.path.substr(documentation.size())) : std::nullopt;
    if (shown) return answered(std::move(*shown));
    return answered(refusal(make_error(error_code::not_found), input.request, input.request_id));
}

} // namespace recruiting::public_api
