// How long a body is (RFC 9112 section 6): decided from the head, strictly. Two answers to that question are how
// requests are smuggled, so every doubt is refused. Pure.
#pragma once
#include "gateway/http1/head.hpp"

#include <cstdint>
#include <optional>

namespace recruiting::gateway {

struct framing {
    enum class kind { none, length, chunked, until_close };
    kind type{kind::none};
    std::uint64_t length{0};
    bool operator==(framing const&) const = default;
};

/// nullopt: Content-Length that is no plain number or there twice, Transfer-Encoding that is not exactly "chunked",
/// both of them, or Transfer-Encoding in HTTP/1.0. Leading zeros are no plain number.
[[nodiscard]] std::optional<framing> request_framing(request_head const& head) noexcept;
/// Of a request refused above: is it only that it names codings before "chunked" (RFC 9112 section 6.1: 501)?
[[nodiscard]] bool has_unknown_coding(request_head const& head) noexcept;
/// to_head: the answer to a HEAD request. nullopt as above: the upstream is broken.
[[nodiscard]] std::optional<framing> response_framing(response_head const& head, bool to_head) noexcept;

/// What Connection says (RFC 9110 section 7.6.1). Marks the fields it names as dropped. refused: it names a field that
/// the edge acts on and that is not hop-by-hop, names too many, or is no list of tokens.
struct connection_options {
    bool close{false};
    bool keep_alive{false};
    bool refused{false};
};
[[nodiscard]] connection_options read_connection(head_fields& fields);

} // namespace recruiting::gateway
