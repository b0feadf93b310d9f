#include "words/names.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace recruiting {
namespace {

// Shorter ones are house numbers and years.
constexpr int least_digits_of_number = 7;

// The name as readers and mail programs take it: in NFKC, case-folded, without invisible characters.
icu::UnicodeString folded(std::string_view name) {
    UErrorCode status = U_ZERO_ERROR;
    auto const* const fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
    auto text = icu::UnicodeString::fromUTF8({name.data(), static_cast<int32_t>(name.size())});
    if (U_FAILURE(status)) return text;
    auto out = fold->normalize(text, status);
    return U_SUCCESS(status) ? out : text;
}

bool is_dot(UChar32 c) noexcept { return c == u'.' || c == u'。'; }
bool is_label_character(UChar32 c) { return u_isalnum(c) != 0 || c == u'-' || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

// "example.com", "xn--p1ai.example", "пример.рф": a label, a dot, and an ending of two letters and more.
bool has_domain(icu::UnicodeString const& text) {
    bool after_label = false; // the character before is a label's
    bool after_dot = false;   // of a label
    int32_t letters = 0;      // of the ending so far
    for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
        auto const c = text.char32At(i);
        if (is_dot(c)) {
            after_dot = after_label;
            letters = 0;
        } else if (!is_label_character(c)) {
            after_dot = false;
        } else if (after_dot) {
            letters += static_cast<int32_t>(u_isalpha(c) != 0);
            if (letters >= 2) return true;
        }
        after_label = is_label_character(c);
    }
    return false;
}

// Digits, with anything but letters between them.
bool has_number(icu::UnicodeString const& text) {
    int digits = 0;
    for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
        auto const c = text.char32At(i);
        if (u_charDigitValue(c) >= 0) ++digits;
        else if (u_isalpha(c) != 0) digits = 0;
        if (digits >= least_digits_of_number) return true;
    }
    return false;
}

} // namespace

bool looks_like_contact(std::string_view name) {
    auto const text = folded(name);
    return text.indexOf(u"://") >= 0 || text.indexOf(u'@') >= 0 || has_domain(text) || has_number(text);
}

std::string name_in_mail(std::string_view name) { return looks_like_contact(name) ? std::string() : std::string(name); }

std::string candidate_in_mail(std::string_view name) {
    auto shown = name_in_mail(name);
    return shown.empty() ? "a candidate" : shown;
}

} // namespace recruiting
