// Bodies as gzip, those made lately.
#pragma once
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recruiting::public_api {

/// Compressing a page of jobs costs more than all else about it: what was compressed is kept under its validator, the
/// least recently used given up first. One a thread.
class gzip_cache {
public:
    using shared_text = std::shared_ptr<std::string const>;

    explicit gzip_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// text compressed; etag is text's own.
    [[nodiscard]] shared_text get(std::string_view etag, std::string_view text);
    [[nodiscard]] std::size_t size() const noexcept { return kept_.size(); }

private:
    struct entry {
        std::string etag;
        shared_text compressed;
    };
    void drop_last();

    std::size_t most_bytes_;
    std::size_t bytes_{0};
    std::list<entry> kept_;                                                  // most recently used first
    std::unordered_map<std::string_view, std::list<entry>::iterator> found_; // keys are the entries' own
};

} // namespace recruiting::public_api
