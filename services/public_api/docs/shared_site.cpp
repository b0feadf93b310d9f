#include "public_api/docs/shared_site.hpp"

#include "core/log.hpp"
#include "public_api/pages/page.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace recruiting::public_api {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view compressed_ending = ".gz";

std::string content_of(fs::path const& file, std::size_t size) {
    std::string out(size, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(out.data(), static_cast<std::streamsize>(size));
    if (!in || in.gcount() != static_cast<std::streamsize>(size))
        throw std::runtime_error("can't read " + file.string());
    return out;
}

// name → content. The limits are checked before anything is read.
std::map<std::string, std::string> read_files(document_settings const& settings) {
    fs::path const folder = settings.folder;
    std::map<std::string, std::string> out;
    std::int64_t bytes = 0;
    for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
        if (at->path().filename().string().starts_with('.')) {
            at.disable_recursion_pending();
            continue;
        }
        if (at->is_symlink() || !at->is_regular_file()) continue;
        auto const size = at->file_size();
        bytes += static_cast<std::int64_t>(size);
        if (std::cmp_greater_equal(out.size(), settings.files_limit) || bytes > settings.bytes_limit)
            throw std::runtime_error(folder.string() + " holds more than RECRUITING_PUBLIC_API_DOCS_FILES_LIMIT or "
                                                       "RECRUITING_PUBLIC_API_DOCS_SIZE_LIMIT allows");
        out.emplace(at->path().lexically_relative(folder).generic_string(), content_of(at->path(), size));
    }
    return out;
}

} // namespace

void declare_documents(settings_reader& reader, document_settings& to) {
    reader.text("RECRUITING_PUBLIC_API_DOCS", to.folder,
                "Folder of the built documentation (scripts/docs), served under /docs from memory and read again with "
                "SIGHUP; empty: /docs is 404.");
    reader.number("RECRUITING_PUBLIC_API_DOCS_FILES_LIMIT", to.files_limit, 1, 100'000,
                  "Maximum number of files in the documentation; with more the program does not start.");
    reader.number("RECRUITING_PUBLIC_API_DOCS_SIZE_LIMIT", to.bytes_limit, 1, std::int64_t{1} << 32,
                  "Maximum size of all files of the documentation together, in bytes.");
}

std::vector<site_file> read_site(document_settings const& settings) {
    auto contents = read_files(settings);
    std::vector<site_file> out;
    for (auto& [name, content] : contents) {
        bool const compressed = name.ends_with(compressed_ending) &&
                                contents.contains(name.substr(0, name.size() - compressed_ending.size()));
        if (compressed) continue;
        auto const gzip = contents.find(name + std::string(compressed_ending));
        out.push_back({name, std::move(content), gzip == contents.end() ? "" : std::move(gzip->second)});
    }
    return out;
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
        fresh = std::make_shared<document_site const>(read_site(settings_));
    } catch (fs::filesystem_error const& error) {
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
result<plan> get_document(call const& from) {
    auto const site = from.documents == nullptr ? nullptr : from.documents->current();
    auto shown =
        site ? answer_document(*site, from.request, from.request.path.substr(documentation.size())) : std::nullopt;
    if (shown) return answered(std::move(*shown));
    return answered(refusal(make_error(error_code::not_found), from.request, from.request_id));
}

} // namespace recruiting::public_api
