#include "recruitctl/import/csv_rows.hpp"

namespace recruiting::recruitctl {

bool csv_rows::next() {
    do {
        cells_.clear();
        cell_.clear();
        problems_.clear();
        state_ = state::cell_start;
        row_ended_ = false;
        size_ = 0;
        row_line_ = line_;
        bool any = false;
        for (auto piece = bytes_.available(); !piece.empty() && !row_ended_; piece = bytes_.available()) {
            any = true;
            std::size_t used = 0;
            while (used < piece.size() && !row_ended_) take(piece[used++]);
            bytes_.consume(used);
            if (row_ended_) break;
        }
        if (!any) return false;
        if (!row_ended_) { // the last line has no end
            if (state_ == state::quoted) refuse("invalid_csv", "a quoted cell has no end");
            else end_cell();
        }
    } while (empty_row());
    return true;
}

void csv_rows::take(char c) {
    if (c == '\n') ++line_;
    if (++size_ == longest_record) refuse("too_long", "the row is longer than 4 MiB");
    if (state_ == state::skipped) {
        row_ended_ = c == '\n';
        return;
    }
    if (state_ == state::quoted) {
        if (c == '"') state_ = state::quote_in_quoted;
        else cell_ += c;
        return;
    }
    if (state_ == state::quote_in_quoted && c == '"') {
        state_ = state::quoted;
        cell_ += c;
    } else if (c == ',') {
        state_ = state::cell_start;
        end_cell();
    } else if (c == '\n') {
        if (state_ == state::plain && cell_.ends_with('\r')) cell_.pop_back();
        end_cell();
        row_ended_ = true;
    } else if (c == '"' && state_ == state::cell_start) {
        state_ = state::quoted;
    } else if (state_ == state::quote_in_quoted && c == '\r') {
        // the line end follows
    } else {
        bool const after_quote = state_ == state::quote_in_quoted;
        state_ = state::plain;
        cell_ += c;
        if (after_quote) refuse("invalid_csv", "something follows the quote that ends a cell");
        else if (c == '"') refuse("invalid_csv", "a quote inside a cell that does not start with one");
    }
}

void csv_rows::end_cell() {
    cells_.push_back(std::move(cell_));
    cell_.clear();
    if (cells_.size() > 1000) refuse("invalid_csv", "the row has more than 1,000 cells");
}

void csv_rows::refuse(char const* reason, char const* message) {
    problems_.assign(1, {{}, reason, message});
    cell_.clear();
    state_ = state::skipped;
}

} // namespace recruiting::recruitctl
