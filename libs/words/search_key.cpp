// The tables are those of recruiting.search_key: a change here needs one there.
#include "words/search_key.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <utility>

namespace recruiting {
namespace {

constexpr char16_t accents_and_invisible[] = u"[\\u00ad\\u0300-\\u036f\\u0483-\\u0487\\u0591-"
                                             u"\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u061c"
                                             u"\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-"
                                             u"\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0730-\\u074a\\u07eb-\\u07f3"
                                             u"\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-"
                                             u"\\u202e\\u2060-\\u206f\\u20d0-\\u20f0\\ufe00-\\ufe0f"
                                             u"\\ufe20-\\ufe2f\\ufeff\\U000e0100-\\U000e01ef]";

// Each of the first has its plain letter at the same place of the second.
constexpr std::u16string_view letters = u"ⱥƀɓƈȼđðɖɗəɛɇǝƒɠɣħⱨıɨɩȷɉƙłƚⱡŋɲøɔɵƥĸɍŧƭʈⱦʉʊʋƴɏƶȥ"
                                        u"ςךםןףץ"
                                        u"ґғҕҗҙқҝҟҡңҥөҧҫҭүұҳҷҹ"
                                        u"’‘ʼʻ";
constexpr std::u16string_view plain_letters = u"abbccddddeeeefgghhiiijjklllnnooopqrttttuuvyyzz"
                                              u"σכמנפצ"
                                              u"гггжзккккннопстуухчч"
                                              u"''''";
static_assert(letters.size() == plain_letters.size());

constexpr std::array<std::pair<UChar32, std::u16string_view>, 4> pairs_of_letters{
    {{u'ß', u"ss"}, {u'æ', u"ae"}, {u'œ', u"oe"}, {u'þ', u"th"}}};

icu::UnicodeSet const& dropped() {
    static icu::UnicodeSet const frozen = [] {
        UErrorCode status = U_ZERO_ERROR;
        icu::UnicodeSet set(icu::UnicodeString(accents_and_invisible), status);
        set.freeze(); // for look-ups
        return set;
    }();
    return frozen;
}

void append_plain(icu::UnicodeString& out, UChar32 letter) {
    auto const* const pair = std::ranges::find(pairs_of_letters, letter, [](auto const& one) { return one.first; });
    auto const place = letter <= 0xFFFF ? letters.find(static_cast<char16_t>(letter)) : letters.npos;
    if (pair != pairs_of_letters.end()) out.append(pair->second.data(), static_cast<std::int32_t>(pair->second.size()));
    else out.append(place == letters.npos ? letter : static_cast<UChar32>(plain_letters[place]));
}

// Scripts written without spaces between words: recruiting.unspaced_letters of the database.
bool is_unspaced(UChar32 letter) {
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript(letter, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_HANGUL:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_MYANMAR:
    case USCRIPT_KHMER: return true;
    default: return false;
    }
}

bool is_part_of_word(UChar32 letter) {
    return u_isalnum(letter) != 0 || (U_GET_GC_MASK(letter) & U_GC_M_MASK) != 0; // vowel signs are marks
}

} // namespace

std::string search_key(std::string_view text) {
    // Most titles are ASCII.
    if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return to_lower(text);
    UErrorCode status = U_ZERO_ERROR;
    auto const given = icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
    auto const decomposed = icu::Normalizer2::getNFKDInstance(status)->normalize(given, status);
    icu::UnicodeString plain;
    for (std::int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
        auto const letter = u_tolower(decomposed.char32At(i));
        if (!dropped().contains(letter)) append_plain(plain, letter);
    }
    std::string key;
    icu::Normalizer2::getNFCInstance(status)->normalize(plain, status).toUTF8String(key);
    return key;
}

std::string spaced_words(std::string_view text) {
    auto const key = search_key(text);
    std::string words{' '};
    for (std::string_view rest = key; !rest.empty();) {
        auto const letter = first_character(rest);
        auto const size = std::max<std::size_t>(letter.size, 1);
        bool const part = letter.size > 0 && is_part_of_word(static_cast<UChar32>(letter.value));
        bool const alone = part && letter.size > 1 && is_unspaced(static_cast<UChar32>(letter.value));
        if ((!part || alone) && words.back() != ' ') words += ' ';
        if (part) words += rest.substr(0, size);
        if (alone) words += ' ';
        rest.remove_prefix(size);
    }
    if (words.back() != ' ') words += ' ';
    return words;
}

} // namespace recruiting
