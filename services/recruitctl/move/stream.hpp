// The file of a moved organization (proto-docs/moving_organizations.md, The file): a line that names the format, a
// header, each table with its rows in PostgreSQL's text form of COPY, and the SHA-256 of all that.
#pragma once
#include "crypto/digest.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

class move_writer {
public:
    move_writer(std::ostream& to, boost::json::object const& header);
    void begin_table(std::string_view name, std::string_view columns);
    void row(std::string_view line); // its \n included
    void end_table(std::int64_t rows);
    /// The digest. A file without it is refused: nothing after it, and it only when all was written.
    void finish();

private:
    void put(std::string_view text);
    std::ostream& to_;
    sha256_stream digest_;
};

/// Every function throws failure when the file ends before its time or is no such file.
class move_reader {
public:
    explicit move_reader(std::istream& from);
    [[nodiscard]] boost::json::object const& header() const noexcept { return header_; }

    struct table {
        std::string name, columns;
    };
    /// nullopt: there are no more, and the digest is that of the file.
    [[nodiscard]] std::optional<table> next_table();
    /// The next row of the table, its \n included; nullopt: it has no more. Valid until the next call.
    [[nodiscard]] std::optional<std::string_view> next_row();
    [[nodiscard]] std::int64_t rows() const noexcept { return rows_; } // read of this table

private:
    std::string_view next_line();
    std::string_view next_digested_line();
    void check_end(std::string_view hex);

    std::istream& from_;
    sha256_stream digest_;
    std::string line_;
    boost::json::object header_;
    std::int64_t rows_{0};
};

} // namespace recruiting::recruitctl
