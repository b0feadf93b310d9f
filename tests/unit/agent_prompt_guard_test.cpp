// What a prompt names, and whether it asks to revoke at all: nothing else lets a changing tool touch a key.
#include "auth_api/agent/tools/prompt_guard.hpp"
#include "auth_api/agent/tools/word_edges.hpp"
#include "support/catch.hpp"

#include <vector>

using namespace recruiting::auth_api::agent;

namespace {

struct row {
    std::string_view prompt;
    std::string_view name;
    bool named;
};

bool named(std::string_view prompt, std::string_view name, std::vector<std::string> const& others = {}) {
    return names_key(prompt, name, others);
}

} // namespace

TEST_CASE("a key is named where its exact name stands alone", "[agent][tools][guard]") {
    auto const at = GENERATE(
        row{"revoke warehouse", "warehouse", true}, row{"warehouse: revoke it", "warehouse", true},
        row{"Revoke the key warehouse.", "warehouse", true}, row{"revoke warehouse...", "warehouse", true},
        row{"revoke warehouse, now", "warehouse", true}, row{"revoke \"warehouse\"", "warehouse", true},
        row{"revoke 'warehouse'!", "warehouse", true}, row{"revoke `warehouse`", "warehouse", true},
        row{"revoke “warehouse”", "warehouse", true}, row{"revoke «warehouse»", "warehouse", true},
        row{"revoke warehouse's access", "warehouse", true}, row{"name:warehouse", "warehouse", true},
        row{"revoke **warehouse**", "warehouse", true}, row{"revoke (warehouse)?", "warehouse", true},
        row{"revoke warehouse—it leaked", "warehouse", true}, row{"revoke\nwarehouse\n", "warehouse", true},
        row{"revoke warehouse🔑", "warehouse", true}, row{"revoke warehouses but also warehouse", "warehouse", true},
        row{"revoke the key Warehouse sync (EU)", "Warehouse sync (EU)", true},
        row{"revoke sync-2026.v1_b", "sync-2026.v1_b", true}, row{"widerrufe Größe", "Größe", true},
        row{"отзови склад", "склад", true});
    INFO(at.prompt);
    REQUIRE(named(at.prompt, at.name) == at.named);
}

TEST_CASE("a key is not named by another spelling or inside a longer word", "[agent][tools][guard]") {
    auto const at = GENERATE(
        row{"", "warehouse", false}, row{"revoke all keys", "warehouse", false}, row{"revoke", "", false},
        row{"revoke Warehouse", "warehouse", false}, row{"revoke WAREHOUSE", "warehouse", false},
        row{"revoke warehouses", "warehouse", false}, row{"revoke mywarehouse", "warehouse", false},
        row{"revoke warehouse2", "warehouse", false}, row{"revoke 2warehouse", "warehouse", false},
        row{"revoke warehouse-old", "warehouse", false}, row{"revoke old-warehouse", "warehouse", false},
        row{"revoke warehouse_old", "warehouse", false}, row{"revoke warehouse.old", "warehouse", false},
        row{"revoke old.warehouse", "warehouse", false}, row{"revoke warehouse..old", "warehouse", false},
        row{"revoke warehouse-", "warehouse", false}, row{"revoke warehouse@eu", "warehouse", false},
        row{"see https://x.example/warehouse", "warehouse", false}, row{"revoke warehouseé", "warehouse", false},
        row{"revoke étage", "tage", false}, row{"revoke ware house", "warehouse", false},
        row{"revoke warehouse\xE2\x80\x8Bold", "warehouse", false}, // a zero-width space hides the longer word
        row{"revoke Grösse", "Größe", false}, row{"отзови склады", "склад", false},
        row{"revoke warehouse‐old", "warehouse", false});
    INFO(at.prompt);
    REQUIRE(named(at.prompt, at.name) == at.named);
}

TEST_CASE("scripts without spaces: a Latin name may stand among them, one of their own only apart",
          "[agent][tools][guard]") {
    auto const at =
        GENERATE(row{"キーwarehouseを取り消して", "warehouse", true}, row{"撤销warehouse密钥", "warehouse", true},
                 row{"warehouse를 취소해 주세요", "warehouse", true}, row{"倉庫を取り消して", "倉庫", true},
                 row{"撤销「倉庫」", "倉庫", true}, row{"撤销 倉庫，谢谢", "倉庫", true},
                 row{"倉庫管理を取り消して", "倉庫", false}, row{"撤销大倉庫", "倉庫", false},
                 row{"テストキーを取り消して", "テスト", false}, row{"「テスト」キーを取り消して", "テスト", true},
                 row{"창고를 취소", "창고", false}, row{"\"창고\"를 취소", "창고", true},
                 row{"ひみつのを", "ひみつ", false}, row{"倉庫Aを", "倉庫", false});
    INFO(at.prompt);
    REQUIRE(named(at.prompt, at.name) == at.named);
}

TEST_CASE("a name that a request could hold by accident needs quotation marks", "[agent][tools][guard]") {
    auto const at = GENERATE(
        row{"revoke a key", "a", false}, row{"revoke \"a\"", "a", true}, row{"revoke x", "x", false},
        row{"revoke 'x'", "x", true}, row{"revoke \"x", "x", false}, row{"revoke -x-", "-x-", false},
        row{"revoke the CI key", "CI", true}, row{"revoke it", "it", false}, row{"revoke IT", "IT", false},
        row{"revoke \"IT\"", "IT", true}, row{"revoke the key warehouse", "key", false},
        row{"revoke the key warehouse", "the", false}, row{"revoke the Key warehouse", "Key", false},
        row{"revoke my old api key", "old api key", false}, row{"revoke the key “key”", "key", true},
        row{"revoke it!!!", "!!!", false}, row{"revoke \"!!!\"", "!!!", true}, row{"revoke --- now", "---", false},
        row{"revoke 「の」", "の", true}, row{"鍵の取り消し", "の", false}, row{"revoke „x“", "x", true},
        row{"revoke ‘x’", "x", true}, row{"revoke x1", "x1", true});
    INFO(at.prompt);
    REQUIRE(named(at.prompt, at.name) == at.named);
}

TEST_CASE("what lies inside a longer key's name is that key's", "[agent][tools][guard]") {
    REQUIRE_FALSE(named("revoke warehouse sync", "warehouse", {"warehouse", "warehouse sync"}));
    REQUIRE_FALSE(named("revoke the old warehouse sync key", "warehouse", {"old warehouse sync"}));
    REQUIRE(named("revoke warehouse synchronisation", "warehouse", {"warehouse sync"}));
    REQUIRE(named("revoke warehouse and warehouse sync", "warehouse", {"warehouse sync"}));
    REQUIRE(named("revoke warehouse sync", "warehouse sync", {"warehouse", "warehouse sync"}));
    REQUIRE(named("revoke warehouse, not sync", "warehouse", {"warehouse sync", "x warehouse"}));
}

TEST_CASE("a prompt that repeats a name for ever is not searched for ever", "[agent][tools][guard]") {
    std::string prompt;
    for (int i = 0; i < 30'000; ++i) prompt += "key-";
    REQUIRE_FALSE(named(prompt, "key-key", std::vector<std::string>(200, std::string(400, 'k'))));
}

TEST_CASE("asking to revoke takes a word that says so, other than in the key's name", "[agent][tools][guard]") {
    for (auto const* prompt :
         {"Revoke warehouse", "please DISABLE warehouse", "get rid of warehouse", "has to be deleted: warehouse",
          "rotate warehouse", "Widerrufe warehouse", "LÖSCHE warehouse", "Bitte warehouse sperren", "révoque warehouse",
          "Désactive warehouse", "revoca warehouse", "elimina warehouse", "Отзови warehouse", "УДАЛИ warehouse",
          "warehouseを取り消して", "撤销warehouse", "warehouse 취소", "احذف warehouse"}) {
        INFO(prompt);
        REQUIRE(asks_to_revoke(prompt, "warehouse"));
    }
    for (auto const* prompt : {"What is the key warehouse for?", "Who has warehouse skills?", "warehouse", "List keys",
                               "", "Wer benutzt warehouse?"}) {
        INFO(prompt);
        REQUIRE_FALSE(asks_to_revoke(prompt, "warehouse"));
    }
    REQUIRE_FALSE(asks_to_revoke("what is revoke-me for?", "revoke-me"));
    REQUIRE(asks_to_revoke("revoke revoke-me", "revoke-me"));
    REQUIRE(asks_to_revoke("revoke", ""));
}

TEST_CASE("characters are read from either side, ill-formed ones too", "[agent][tools][guard]") {
    std::string_view const text = "a鍵🔑";
    REQUIRE(character_at(text, 0).value == U'a');
    REQUIRE(character_at(text, 1).value == U'鍵');
    REQUIRE(character_before(text, text.size()).value == U'🔑');
    REQUIRE(character_before(text, 0).size == 0);
    REQUIRE(character_at(text, text.size()).size == 0);
    std::string const wrong(9, '\x80');
    REQUIRE(character_at(wrong, 0).size <= 4);
    REQUIRE(character_before(wrong, wrong.size()).size <= 4);
    REQUIRE(fold_case("ÄÉ Straße ЖЯ AZ") == "äé straße жя az");
}
