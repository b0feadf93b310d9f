// Names as people write them, and the words by which their candidates and jobs must be found: one table for both.
#pragma once
#include <string>
#include <vector>

namespace recruiting::test {

struct search_sample {
    std::string text;
    std::vector<std::string> queries; // each finds this sample alone
};

inline std::vector<search_sample> const search_samples{
    {"Łucja Wałęsa", {"lucja", "ŁUCJA", "walesa", "Walęsa", "wal luc"}},
    {"Jan Straßer", {"strasser", "STRASSER", "straßer", "STRAẞER", "straß"}},
    {"Οδυσσεύς", {"ΟΔΥΣΣΕΥΣ", "οδυσσευς", "Οδυσσεύς", "οδυσσ"}},
    {"ΝΙΚΟΣ", {"Νίκος", "νικοσ"}},
    {"山田花子", {"花子", "山田", "田花", "子", "山田花子"}},
    {"ﾔﾏﾀﾞ ﾀﾛｳ", {"ヤマダ", "マダ", "ﾀﾛｳ", "タロウ"}},
    {"日本アイビーエムソリューションサービス株式会社",
     {"アイビーエム", "株式会社", "アイビーエムソリューション", "日本アイビーエムソリューションサービス株式会社"}},
    {"İsmail Işık", {"ismail", "İSMAİL", "isik", "ışık"}},
    {"Đorđe", {"dorde", "ĐORĐE"}},
    {"Søren Ærøskøbing", {"soren", "aeroskobing", "ærø"}},
    {"Þór", {"thor", "þor", "ÞÓR"}},
    {"Anaïs Œuvrard", {"anais", "oeuvrard", "ŒUV"}},
    {"Ħamrun", {"hamrun"}},
    {"김철수", {"철수", "김", "김철수"}},
    {"สมชาย ใจดี", {"ชาย", "ใจดี", "สมชาย"}},
    {"राहुल शर्मा", {"राहुल", "शर्मा"}},
    {"Мар\u02BCяна Ґалаґан", {"мар\u2019яна", "мар'яна", "галаган"}},
    {"כהן", {"כהן", "כהנ"}},
    {"ｆｕｌｌ　ｗｉｄｔｈ", {"full", "WIDTH", "full width"}},
    {"Zoe\u0301 na\u00EFve", {"zoé", "zoe", "naive"}},
    {"Nguyễn Đức", {"nguyen", "duc", "NGUYEN ĐUC"}},
};

/// Words that find none of them.
inline std::vector<std::string> const unfound_words{"花田", "luzja", "strazer", "アイビーエムサービス", "수철"};

} // namespace recruiting::test
