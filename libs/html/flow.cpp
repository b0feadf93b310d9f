#include "html/flow.hpp"

#include "core/text.hpp"
#include "html/text.hpp"

#include <algorithm>

namespace recruiting::html {
namespace {

bool is_blank(std::string_view text) noexcept { return trim(text).empty(); }
bool is_heading(std::string_view name) noexcept { return name.size() == 2 && name[0] == 'h'; }

std::string without_controls(std::string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
    });
    return out;
}

} // namespace

bool flow::begin_inline(std::string_view name, std::string_view address) {
    auto const same = [name](formatting const& f) { return f.name == name; };
    if (std::any_of(wanted_inlines_.begin(), wanted_inlines_.end(), same)) return false;
    wanted_inlines_.push_back({name, std::string(address)});
    return true;
}

void flow::end_inline() { wanted_inlines_.pop_back(); }

void flow::begin_block(std::string_view name) {
    bool const something = !open_block_.empty() || loose_;
    close_block();
    // A division or a paragraph that begins a heading is that heading.
    if (!something && is_heading(wanted_block_) && !is_heading(name)) return;
    // In an item the first line needs no element, a later one does, or the two would run together.
    bool const later_line = name.empty() && !lists_.empty() && lists_.back().item_written;
    wanted_block_ = later_line ? "p" : name;
}

void flow::end_block() {
    close_block();
    bool const later_line = !lists_.empty() && lists_.back().item_written;
    wanted_block_ = later_line ? "p" : "";
}

void flow::begin_list(std::string_view name) {
    close_block();
    wanted_block_ = {};
    lists_.push_back({name});
}

void flow::end_list() {
    end_item();
    if (lists_.back().written) out_.append("</").append(lists_.back().name).append(">");
    lists_.pop_back();
    end_block();
}

void flow::begin_item() { end_item(); }

void flow::end_item() {
    close_block();
    wanted_block_ = {};
    if (lists_.empty()) return;
    if (lists_.back().item_written) out_ += "</li>";
    lists_.back().item_written = false;
}

void flow::line_break() {
    if (at_start_) return;
    open_inlines();
    out_ += "<br>";
}

void flow::text(std::string_view text) {
    auto const shown = without_controls(text);
    if (shown.empty() || (at_start_ && is_blank(shown))) return;
    open_block();
    open_inlines();
    append_escaped(out_, at_start_ ? std::string_view(shown).substr(shown.find_first_not_of(" \t\r\n\v\f")) : shown);
    at_start_ = false;
}

std::string flow::finish() {
    close_block();
    return std::move(out_);
}

void flow::close_inlines(std::size_t keep) {
    for (; open_inlines_.size() > keep; open_inlines_.pop_back())
        out_.append("</").append(open_inlines_.back().name).append(">");
}

void flow::close_block() {
    close_inlines(0);
    if (!open_block_.empty()) out_.append("</").append(open_block_).append(">");
    open_block_ = {};
    loose_ = false;
    at_start_ = true;
}

void flow::open_block() {
    if (!open_block_.empty() || loose_) return;
    for (auto& level : lists_) {
        if (!level.written) out_.append("<").append(level.name).append(">");
        if (!level.item_written) out_ += "<li>";
        level.written = level.item_written = true;
    }
    open_block_ = lists_.empty() && wanted_block_.empty() ? "p" : wanted_block_;
    loose_ = open_block_.empty();
    if (!loose_) out_.append("<").append(open_block_).append(">");
}

void flow::open_inlines() {
    auto const open = std::ranges::mismatch(open_inlines_, wanted_inlines_).in1;
    auto const common = static_cast<std::size_t>(open - open_inlines_.begin());
    close_inlines(common);
    for (auto i = common; i < wanted_inlines_.size(); ++i) {
        auto const& next = wanted_inlines_[i];
        out_.append("<").append(next.name);
        if (!next.address.empty()) {
            out_ += " href=\"";
            append_escaped(out_, next.address);
            out_ += '"';
        }
        out_ += '>';
        open_inlines_.push_back(next);
    }
}

} // namespace recruiting::html
