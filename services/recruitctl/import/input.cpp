// Files as spreadsheets and other programs save them: their bytes as UTF-8, or what they are instead of text.
#include "core/text.hpp"
#include "recruitctl/import/record.hpp"

#include <boost/locale/utf.hpp>
#include <istream>
#include <iterator>
#include <stdexcept>

namespace recruiting::recruitctl {
namespace {

using utf8 = boost::locale::utf::utf_traits<char>;

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
constexpr std::size_t piece_size = std::size_t{1} << 16U;

// No UTF-8 has this byte: the line that it stands in is reported.
constexpr char not_utf8 = '\xFF';

[[noreturn]] void refuse_file(std::string const& what, std::string const& advice) {
    throw std::runtime_error("the file is " + what + ": " + advice);
}

} // namespace

text_buffer::text_buffer(std::istream& from) : bytes_(*from.rdbuf()) {
    text_.resize(piece_size);
    text_.resize(static_cast<std::size_t>(bytes_.sgetn(text_.data(), piece_size)));
    refuse_other_files();
    auto const bytes = std::move(text_);
    std::size_t mark = 2;
    if (bytes.starts_with("\xFF\xFE")) encoding_ = encoding::utf16_little;
    else if (bytes.starts_with("\xFE\xFF")) encoding_ = encoding::utf16_big;
    else mark = bytes.starts_with(utf8_mark) ? utf8_mark.size() : 0;
    text_.clear();
    decode(std::string_view(bytes).substr(mark));
    setg(text_.data(), text_.data(), text_.data() + text_.size());
}

void text_buffer::refuse_other_files() const {
    std::string const save = "open it in a spreadsheet program and save it as CSV UTF-8 (comma delimited)";
    if (text_.starts_with("PK\x03\x04")) {
        if (text_.find("opendocument.spreadsheet") != text_.npos)
            refuse_file("an OpenDocument spreadsheet (.ods)", save);
        if (text_.find("[Content_Types].xml") != text_.npos || text_.find("xl/") != text_.npos)
            refuse_file("an Excel workbook (.xlsx)", save);
        refuse_file("a ZIP archive", "unpack it, and import the files in it");
    }
    if (text_.starts_with("\xD0\xCF\x11\xE0")) refuse_file("an Excel workbook (.xls)", save);
    if (text_.starts_with("\x1F\x8B")) refuse_file("compressed (gzip)", "decompress it with gunzip");
    if (text_.starts_with("%PDF-")) refuse_file("a PDF document", "export the data as CSV UTF-8 where it comes from");
    std::string_view const text(text_);
    if (trim(text.substr(text.starts_with(utf8_mark) ? utf8_mark.size() : 0)).starts_with('<'))
        refuse_file("an HTML or XML document, perhaps a sign-in page or a table saved as a web page",
                    "save the data as CSV UTF-8 or JSON");
}

text_buffer::int_type text_buffer::underflow() {
    if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
    std::string bytes(piece_size, '\0');
    do {
        text_.clear();
        bytes.resize(static_cast<std::size_t>(bytes_.sgetn(bytes.data(), static_cast<std::streamsize>(bytes.size()))));
        decode(bytes);
    } while (text_.empty() && !bytes.empty());
    if (bytes.empty() && (half_ >= 0 || high_ != 0)) text_ = not_utf8;
    if (bytes.empty()) half_ = -1, high_ = 0;
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return text_.empty() ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

void text_buffer::decode(std::string_view bytes) {
    if (encoding_ == encoding::utf8) {
        text_ = bytes;
        return;
    }
    for (char const c : bytes) {
        auto const byte = static_cast<unsigned char>(c);
        if (half_ < 0) {
            half_ = byte;
            continue;
        }
        auto const first = static_cast<unsigned>(half_);
        half_ = -1;
        append_unit(encoding_ == encoding::utf16_little ? first | (unsigned{byte} << 8U) : (first << 8U) | byte);
    }
}

void text_buffer::append_unit(char32_t unit) {
    bool const is_low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0 && is_low) {
        utf8::encode(0x10000 + ((high_ - 0xD800) << 10U) + (unit - 0xDC00), std::back_inserter(text_));
        high_ = 0;
        return;
    }
    if (high_ != 0 || is_low) text_ += not_utf8;
    high_ = unit >= 0xD800 && unit < 0xDC00 ? unit : 0;
    if (high_ == 0 && !is_low) utf8::encode(unit, std::back_inserter(text_));
}

} // namespace recruiting::recruitctl
