#include "public_api/gzip_cache.hpp"

#include "compression/gzip.hpp"

namespace recruiting::public_api {
namespace {

constexpr int level = 6; // each body once, for many requests

} // namespace

gzip_cache::shared_text gzip_cache::get(std::string_view etag, std::string_view text) {
    if (auto const known = found_.find(etag); known != found_.end()) {
        kept_.splice(kept_.begin(), kept_, known->second);
        return known->second->compressed;
    }
    auto const compressed = std::make_shared<std::string const>(compression::gzip(text, level));
    if (compressed->size() > most_bytes_) return compressed;
    kept_.push_front({std::string(etag), compressed});
    found_.emplace(kept_.front().etag, kept_.begin());
    bytes_ += compressed->size();
    while (bytes_ > most_bytes_) drop_last();
    return compressed;
}

void gzip_cache::drop_last() {
    bytes_ -= kept_.back().compressed->size();
    found_.erase(kept_.back().etag);
    kept_.pop_back();
}

} // namespace recruiting::public_api
