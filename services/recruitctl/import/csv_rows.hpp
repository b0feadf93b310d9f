// Rows of a CSV file (RFC 4180): quoted cells may hold commas, line ends and doubled quotes; lines end with LF or CRLF.
// Used by import_csv, which gives the cells their names.
#pragma once
#include "recruitctl/import/bytes.hpp"
#include "recruitctl/import/record.hpp"

namespace recruiting::recruitctl {

class csv_rows {
public:
    explicit csv_rows(std::istream& from) : bytes_(from) {}

    /// The next row that is not empty; false at the end. After a mistake the rest of the line is skipped.
    [[nodiscard]] bool next();
    [[nodiscard]] std::vector<std::string> const& cells() const noexcept { return cells_; }
    [[nodiscard]] std::uint64_t line() const noexcept { return row_line_; } // where the row starts, from 1
    [[nodiscard]] std::vector<problem> const& problems() const noexcept { return problems_; }
    [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_.bytes_read(); }

private:
    enum class state { cell_start, plain, quoted, quote_in_quoted, skipped };

    void take(char c);
    void end_cell();
    void refuse(char const* reason, char const* message);
    [[nodiscard]] bool empty_row() const { return problems_.empty() && cells_.size() == 1 && cells_.front().empty(); }

    import_bytes bytes_;
    std::vector<std::string> cells_;
    std::string cell_;
    std::vector<problem> problems_;
    state state_{state::cell_start};
    bool row_ended_{false};
    std::size_t size_{0};
    std::uint64_t line_{1};
    std::uint64_t row_line_{1};
};

} // namespace recruiting::recruitctl
