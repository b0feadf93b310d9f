// Parsers of requests and answers on boost::beast::http::basic_parser: head first, then body. Beast reads the syntax
// and reports request lines, fields and chunks; the strict profile may refuse each; what is accepted is kept as views.
// Pure.
#pragma once
#include "http/body_reader.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <string>

namespace recruiting::http {

/// Trailers are fields, but not of their message's framing: they are read behind a request line that was never sent,
/// and what they say is dropped.
[[nodiscard]] body_fault read_trailers(std::string_view section, chunk_limits const& limits);

template <bool is_request>
class message_parser : public boost::beast::http::basic_parser<is_request>, public body_reader {
protected:
    using base = boost::beast::http::basic_parser<is_request>;
    using error_code = boost::beast::error_code;
    using text = boost::beast::string_view;
    using verb = boost::beast::http::verb;

    message_parser(head_limits const& limits, chunk_limits const& chunks) : body_reader(chunks), limits_(limits) {
        base::header_limit(static_cast<std::uint32_t>(limits.head + 1));
        base::body_limit(boost::none); // the readers of bodies have their own
    }

    /// head: whole, with its empty line, as head_scanner found it. start: what Beast gets for the bytes before from.
    [[nodiscard]] std::optional<head_fault> parse_head(std::string_view head, head_fields& fields,
                                                       std::string_view start, std::size_t from) {
        head_ = head;
        fields_ = &fields;
        fields.clear();
        error_code error;
        base::eager(false);
        if (!start.empty()) base::put(boost::asio::buffer(start), error);
        base::put(boost::asio::buffer(head.substr(from)), error);
        if (error && fault_) return fault_;
        if (error || !base::is_header_done()) return fault_of(error, head.substr(0, head.find("\r\n")));
        if (unclear_) return unclear_;
        base::eager(true);
        begin_body(base::is_done(), base::chunked());
        return std::nullopt;
    }
    [[nodiscard]] framing framing_of_head() const {
        using kind = framing::kind;
        if (base::is_done()) return {};
        if (base::chunked()) return {kind::chunked, 0};
        auto const length = base::content_length();
        return length ? framing{kind::length, *length} : framing{kind::until_close, 0};
    }
    void refuse(std::optional<head_fault> const& fault, error_code& error) noexcept {
        if (!fault) return;
        fault_ = fault;
        error = boost::beast::http::error::bad_field;
    }

    head_limits limits_;
    int minor_version_{1};

private:
    body_fault check_trailers(std::string_view section) const override { return read_trailers(section, limits()); }
    progress parse(std::span<char const> bytes, std::size_t& consumed) override {
        error_code error;
        consumed = base::put(boost::asio::buffer(bytes.data(), bytes.size()), error);
        if (base::is_done()) return progress::complete;
        if (error == boost::beast::http::error::end_of_chunk) return progress::last_chunk;
        return !error || error == boost::beast::http::error::need_more ? progress::more : progress::malformed;
    }
    bool parse_end() override {
        error_code error;
        if (base::need_eof()) base::put_eof(error);
        return base::is_done();
    }

    void on_field_impl(boost::beast::http::field known, text name, text value, error_code& error) final {
        field const one{line_of(head_, name, value), name, value, identify(known, name), false};
        auto const fault = check_field(one, *fields_, minor_version_, limits_);
        bool const unclear = fault == head_fault::unclear_length || fault == head_fault::unknown_coding;
        if (unclear)
            unclear_ = unclear_ ? head_fault::unclear_length : fault; // the other fields are of use for the answer
        else refuse(fault, error);
        if (!error) fields_->add(one);
    }
    void on_header_impl(error_code&) final {}
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) final {}
    std::size_t on_body_impl(text piece, error_code&) final {
        take_content(piece);
        return piece.size();
    }
    void on_chunk_header_impl(std::uint64_t size, text extensions, error_code& error) final {
        if (!take_chunk(extensions)) error = boost::beast::http::error::bad_chunk;
        else if (size == 0) error = boost::beast::http::error::end_of_chunk; // trailers are read apart
    }
    std::size_t on_chunk_body_impl(std::uint64_t, text piece, error_code&) final {
        take_content(piece);
        return piece.size();
    }
    void on_finish_impl(error_code&) final {}

    std::string_view head_;
    head_fields* fields_{nullptr};
    std::optional<head_fault> fault_;
    std::optional<head_fault> unclear_;
};

/// A request: its head, then its body.
class request_parser final : public message_parser<true> {
public:
    explicit request_parser(head_limits const& limits = {}, chunk_limits const& chunks = {})
        : message_parser(limits, chunks) {}
    /// Called once. out gets views into head, which has its empty line (head_scanner).
    [[nodiscard]] std::optional<head_fault> parse_head(std::string_view head, request_head& out);

private:
    void on_request_impl(verb, text method, text target, int version, error_code& error) override;
    void on_response_impl(int, text, int, error_code&) override {}

    request_head* out_{nullptr};
};

inline std::optional<head_fault> request_parser::parse_head(std::string_view head, request_head& out) {
    out_ = &out;
    out.clear();
    auto const fault = message_parser::parse_head(head, out.fields, {}, 0);
    if (!fault) out.body = framing_of_head();
    return fault;
}

inline void request_parser::on_request_impl(verb, text method, text target, int version, error_code& error) {
    refuse(check_request_line(method, target, limits_), error);
    if (error) return;
    out_->method = method;
    out_->target = target;
    out_->minor_version = minor_version_ = version - 10;
}

inline body_fault read_trailers(std::string_view section, chunk_limits const& limits) {
    constexpr std::string_view start = "GET / HTTP/1.1\r\n";
    if (section.size() > limits.trailers + 2) return body_fault::trailers_too_large;
    auto const text = std::string(start).append(section);
    request_head fields;
    request_parser parser({text.size(), start.size(), text.size(), limits.trailer_fields});
    auto const fault = parser.parse_head(text, fields);
    if (fault == head_fault::too_large) return body_fault::trailers_too_large;
    return fault ? body_fault::malformed : body_fault::none;
}

/// An answer of a service: its head, then its body.
class response_parser final : public message_parser<false> {
public:
    /// to_head: it answers a HEAD request, and has no body whatever it says.
    explicit response_parser(bool to_head, head_limits const& limits = {}) : message_parser(limits, {}) {
        skip(to_head);
    }
    /// Called once. out gets views into head, which has its empty line (head_scanner).
    [[nodiscard]] std::optional<head_fault> parse_head(std::string_view head, response_head& out);

private:
    void on_request_impl(verb, text, text, int, error_code&) override {}
    void on_response_impl(int status, text reason, int version, error_code& error) override;

    response_head* out_{nullptr};
};

// "HTTP/1.1 200": some servers that give no reason leave out the blank before it too, which Beast wants to see.
inline std::optional<head_fault> response_parser::parse_head(std::string_view head, response_head& out) {
    constexpr std::size_t line_size = 12;
    out_ = &out;
    std::array<char, line_size + 3> start{};
    bool const without_blank = head.substr(0, line_size + 2).ends_with("\r\n") && head.size() > line_size + 2;
    std::copy_n(head.begin(), without_blank ? line_size : 0, start.begin());
    std::copy_n(" \r\n", 3, start.begin() + line_size);
    std::string_view const line(start.data(), without_blank ? start.size() : 0);
    auto const fault = message_parser::parse_head(head, out.fields, line, without_blank ? line_size + 2 : 0);
    if (fault) return head_fault::malformed;
    out.body = framing_of_head();
    return std::nullopt;
}

inline void response_parser::on_response_impl(int status, text reason, int version, error_code& error) {
    refuse(check_status(static_cast<unsigned>(status)), error);
    out_->status = static_cast<unsigned>(status);
    out_->reason = reason.empty() ? std::string_view() : std::string_view(reason);
    out_->minor_version = minor_version_ = version - 10;
}

} // namespace recruiting::http
