#include "mail/unicode.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>

namespace recruiting::mail {
namespace {

void require(UErrorCode status, char const* what) {
    if (U_FAILURE(status)) throw std::runtime_error(std::string(what) + ": " + u_errorName(status));
}

icu::UnicodeString utf16_of(std::string_view text) {
    return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

icu::Normalizer2 const& form(icu::Normalizer2 const* (*instance)(UErrorCode&)) {
    UErrorCode status = U_ZERO_ERROR;
    auto const* const found = instance(status);
    require(status, "ICU has no data of normalization");
    return *found;
}

struct idna_deleter {
    void operator()(UIDNA* of) const noexcept { uidna_close(of); }
};

UIDNA const* uts46() {
    static std::unique_ptr<UIDNA, idna_deleter> const instance = [] {
        UErrorCode status = U_ZERO_ERROR;
        std::unique_ptr<UIDNA, idna_deleter> opened(
            uidna_openUTS46(UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
                            &status));
        require(status, "ICU has no data of UTS 46");
        return opened;
    }();
    return instance.get();
}

// RFC 8264 section 9.6: letters that the rules of category and compatibility would refuse or accept otherwise. Those
// that need a context are refused.
constexpr std::array<UChar32, 6> valid_exceptions{0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007};
constexpr std::array<UChar32, 15> refused_exceptions{0xB7,   0x375,  0x5F3,  0x5F4,  0x640,  0x7FA,  0x302E, 0x302F,
                                                     0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B, 0x30FB};
// Digits of Arabic scripts need a context too: that they are not mixed.
bool is_arabic_digit(UChar32 c) { return (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9); }

// RFC 8264 section 9.1.
bool is_letter_or_digit(UChar32 c) {
    constexpr std::uint32_t accepted =
        U_GC_LL_MASK | U_GC_LU_MASK | U_GC_LO_MASK | U_GC_ND_MASK | U_GC_LM_MASK | U_GC_MN_MASK | U_GC_MC_MASK;
    return (U_GET_GC_MASK(c) & accepted) != 0;
}

bool has_compatibility_form(UChar32 c) {
    static auto const& nfkc = form(icu::Normalizer2::getNFKCInstance);
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString const one(c);
    auto const folded = nfkc.normalize(one, status);
    require(status, "ICU can't normalize");
    return folded != one;
}

// The steps of RFC 8264 section 8, in its order.
bool is_valid(UChar32 c) {
    auto const holds = [c](auto const& list) { return std::ranges::find(list, c) != list.end(); };
    if (holds(valid_exceptions)) return true;
    if (holds(refused_exceptions) || is_arabic_digit(c)) return false;
    auto const hangul = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
    if (hangul == U_HST_LEADING_JAMO || hangul == U_HST_VOWEL_JAMO || hangul == U_HST_TRAILING_JAMO) return false;
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return false;
    return !has_compatibility_form(c) && is_letter_or_digit(c);
}

// RFC 5893 section 2, of one label. A text without right-to-left characters is outside the rule.
class bidi_rule {
public:
    void add(UChar32 c) {
        auto const kind = u_charDirection(c);
        if (first_ == U_CHAR_DIRECTION_COUNT) first_ = kind;
        if (kind != U_DIR_NON_SPACING_MARK) last_ = kind;
        seen_ |= U_MASK(kind);
    }
    [[nodiscard]] bool holds() const {
        constexpr auto rtl = U_MASK(U_RIGHT_TO_LEFT) | U_MASK(U_RIGHT_TO_LEFT_ARABIC);
        constexpr auto european = U_MASK(U_EUROPEAN_NUMBER);
        constexpr auto arabic = U_MASK(U_ARABIC_NUMBER);
        if ((seen_ & (rtl | arabic)) == 0) return true;
        if ((seen_ & U_MASK(U_LEFT_TO_RIGHT)) != 0 || (U_MASK(first_) & rtl) == 0) return false;
        if ((seen_ & european) != 0 && (seen_ & arabic) != 0) return false;
        return (U_MASK(last_) & (rtl | european | arabic)) != 0;
    }

private:
    std::uint32_t seen_{0};
    UCharDirection first_{U_CHAR_DIRECTION_COUNT};
    UCharDirection last_{U_CHAR_DIRECTION_COUNT};
};

} // namespace

std::optional<std::string> to_a_labels(std::string_view domain) {
    std::array<char, 512> out{}; // a name of DNS has at most 253 bytes; a longer one is refused by its size
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode status = U_ZERO_ERROR;
    auto const size = uidna_nameToASCII_UTF8(uts46(), domain.data(), static_cast<std::int32_t>(domain.size()),
                                             out.data(), static_cast<std::int32_t>(out.size()), &info, &status);
    // Hyphens as in "r3---sn" are no mistake (UTS 46 section 4.1, CheckHyphens = false).
    if (U_FAILURE(status) || (info.errors & ~std::uint32_t{UIDNA_ERROR_HYPHEN_3_4}) != 0) return std::nullopt;
    return std::string(out.data(), static_cast<std::size_t>(size));
}

bool is_precis_identifier(std::string_view text) {
    auto const wide = utf16_of(text);
    bidi_rule bidi;
    for (std::int32_t at = 0; at < wide.length(); at = wide.moveIndex32(at, 1)) {
        auto const c = wide.char32At(at);
        if (c >= 0x80 && !is_valid(c)) return false;
        bidi.add(c);
    }
    return bidi.holds();
}

std::string to_nfc(std::string_view text) {
    static auto const& nfc = form(icu::Normalizer2::getNFCInstance);
    UErrorCode status = U_ZERO_ERROR;
    std::string out;
    nfc.normalize(utf16_of(text), status).toUTF8String(out);
    require(status, "ICU can't normalize");
    return out;
}

} // namespace recruiting::mail
