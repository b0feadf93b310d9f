// What every answer of the public API carries beyond its body: CORS, caching, conditional requests, compression. Pure
// but for the cache of compressed bodies.
#pragma once
#include "http/message.hpp"
#include "http/static_site.hpp"

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recruiting::public_api {

/// Bodies that cost more to make than everything else about a response, such as compressed ones: each is kept under a
/// validator, and the least recently used one is evicted first. One per thread.
class body_cache {
public:
    using shared_text = std::shared_ptr<std::string const>;

    explicit body_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// make: returns the body; it is called if none is kept under this validator.
    template <class Make>
    [[nodiscard]] shared_text get(std::string_view etag, Make const& make) {
        if (auto const* const known = find(etag)) return *known;
        return keep(etag, std::make_shared<std::string const>(make()));
    }
    [[nodiscard]] std::size_t size() const noexcept { return kept_.size(); }

private:
    struct entry {
        std::string etag;
        shared_text body;
    };
    shared_text const* find(std::string_view etag);
    shared_text const& keep(std::string_view etag, shared_text const& body);
    void drop_last();

    std::size_t most_bytes_;
    std::size_t bytes_{0};
    std::list<entry> kept_;                                                  // most recently used first
    std::unordered_map<std::string_view, std::list<entry>::iterator> found_; // keys are the entries' own
};

using http::compressed_etag;
using http::etag_of;
using http::names_etag;

/// 204 for OPTIONS on any path. Authorization is not among the allowed fields, so that a browser can't even send a key.
[[nodiscard]] http::response preflight();

/// A redirect without a body.
[[nodiscard]] http::response redirect(unsigned status, std::string location);

/// Turns a 200 to GET or HEAD into one that may be kept: validator, compression where it is wanted and worth it, or 304
/// when the client has it already. Anything else is not kept. An answer that has its own Cache-Control keeps it, and
/// one that may not be kept by all is left as it is. An ETag that is there already is that of the uncompressed body.
void make_cacheable(http::response& answer, http::request const& request, body_cache& compressed);

/// CORS: on every answer but those about documents, errors included, with or without Origin. Never Allow-Credentials.
void allow_all_origins(http::response& answer);

} // namespace recruiting::public_api
