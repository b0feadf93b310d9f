// The strict profile (proto-docs/decisions/0033): what the gateway and the services refuse of HTTP/1.1 although Beast's
// parser accepts it. Two readers that understand a message differently are how requests are smuggled, so every doubt is
// refused. The parsers ask here in their callbacks. Pure.
#pragma once
#include "http/message_head.hpp"

#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

namespace recruiting::http {

/// More than any client of ours sends, and little enough that 16,384 connections fit a small machine
/// (proto-docs/limits.md).
struct head_limits {
    std::size_t head{32 * 1024}; // bytes, with the empty line
    std::size_t target{8 * 1024};
    std::size_t line{16 * 1024}; // bytes of a field line
    std::size_t fields{100};
};

/// Limits on a whole body. Extensions and trailers are read over and dropped.
struct chunk_limits {
    std::size_t extensions{1024}; // bytes
    std::size_t trailers{8 * 1024};
    std::size_t trailer_fields{32};
};

enum class head_fault {
    malformed,
    version,
    method,
    target_too_long,
    too_large,
    unclear_length, // of the body
    unknown_coding, // before "chunked" (RFC 9112 section 6.1: 501)
};

/// Looks for the end of a head in bytes that arrive bit by bit, so that Beast parses a head once, when it is complete;
/// remembers how far it has searched.
class head_scanner {
public:
    struct found {
        std::size_t size{0}; // of the whole head, 0: not all there yet
        std::optional<head_fault> fault;
    };
    /// data: everything from the head's first byte on. Bare line feeds, bytes that can't begin a head and heads beyond
    /// the limits are found as soon as they are seen.
    [[nodiscard]] found scan(std::string_view data, head_limits const& limits = {}) noexcept;
    void reset() noexcept { seen_ = 0; }

private:
    std::size_t seen_{0};
};

/// Each: what is wrong with a part that Beast accepted, or nothing.
[[nodiscard]] std::optional<head_fault> check_request_line(std::string_view method, std::string_view target,
                                                           head_limits const& limits) noexcept;
[[nodiscard]] std::optional<head_fault> check_status(unsigned status) noexcept;
/// one: with its line, as line_of() gives it; not yet among the others.
[[nodiscard]] std::optional<head_fault> check_field(field const& one, head_fields const& others, int minor_version,
                                                    head_limits const& limits) noexcept;
/// digits: the chunk's size as it was written.
[[nodiscard]] bool is_strict_chunk(std::string_view digits, std::string_view extensions) noexcept;

/// The bytes of a field as received, with their CRLF; empty: the value does not lie behind its name on one line.
[[nodiscard]] std::string_view line_of(std::string_view head, std::string_view name, std::string_view value) noexcept;
/// What Beast refused of a head. first_line: of a request; an answer's version gives no fault of its own.
[[nodiscard]] head_fault fault_of(boost::beast::error_code const& error, std::string_view first_line) noexcept;
/// Does a CR or LF stand alone in it (RFC 9112 section 2.2)? A CR at the very end may yet get its LF.
[[nodiscard]] bool has_bare_line_end(std::string_view text) noexcept;

/// The first field that is there twice but may hold one value only; nullptr: none.
[[nodiscard]] field const* repeated_single(head_fields const& fields) noexcept;

/// What Connection says (RFC 9110 section 7.6.1). Marks the fields it names as dropped. refused: it names a field of
/// field_id that is not hop-by-hop, names too many, or is no list of tokens.
struct connection_options {
    bool close{false};
    bool keep_alive{false};
    bool refused{false};
};
[[nodiscard]] connection_options read_connection(head_fields& fields);

[[nodiscard]] bool is_token(std::string_view text) noexcept; // RFC 9110 section 5.6.2

} // namespace recruiting::http
