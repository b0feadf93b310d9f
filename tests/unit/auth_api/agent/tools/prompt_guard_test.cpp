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
    bool named{false};
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
        row{"revoke warehouse's access", "warehouse", true}, row{"name: warehouse", "warehouse", true},
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
        row{"revoke warehouse‐old", "warehouse", false}, row{"revoke eu:warehouse", "warehouse", false},
        row{"revoke warehouse:eu", "warehouse", false}, row{"revoke warehouse=eu", "warehouse", false},
        row{"revoke warehouse~eu", "warehouse", false}, row{"revoke eu|warehouse", "warehouse", false},
        row{"revoke warehouse*eu", "warehouse", false});
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
    REQUIRE_FALSE(named("revoke the key Prod EU", "Prod", {"Prod", "prod EU"}));
    REQUIRE_FALSE(named("revoke the key GRÖẞE groß", "GRÖẞE", {"grÖẞe GROß"}));
    REQUIRE(named("revoke warehouse, not sync", "warehouse", {"warehouse sync", "x warehouse"}));
}

TEST_CASE("a prompt that repeats a name for ever is not searched for ever", "[agent][tools][guard]") {
    std::string prompt;
    for (int i = 0; i < 30'000; ++i) prompt += "key-";
    REQUIRE_FALSE(named(prompt, "key-key", std::vector<std::string>(200, std::string(400, 'k'))));
}

TEST_CASE("a plain command to revoke the key that it names is one", "[agent][tools][guard]") {
    for (auto const* prompt : {"Revoke warehouse",
                               "Revoke warehouse.",
                               "please DISABLE the key warehouse",
                               "Delete the API key: warehouse",
                               "rotate the warehouse token",
                               "Widerrufe warehouse",
                               "LÖSCHE den Schlüssel warehouse",
                               "Bitte den Schlüssel warehouse sperren",
                               "Bitte warehouse widerrufen",
                               "révoque warehouse",
                               "Désactive la clé warehouse",
                               "Révoque la clé « warehouse », s'il te plaît",
                               "revoca warehouse",
                               "elimina la llave warehouse",
                               "Revoca la clave warehouse por favor",
                               "revoga a chave warehouse",
                               "Отзови warehouse",
                               "УДАЛИ ключ warehouse",
                               "キーwarehouseを取り消して",
                               "撤销warehouse",
                               "撤销warehouse密钥",
                               "키 warehouse를 취소해 주세요",
                               "احذف المفتاح warehouse",
                               "The laptop was stolen: revoke warehouse, please.",
                               "please revoke my key \"warehouse\"",
                               "Hello, please revoke the key named warehouse immediately",
                               "Can you revoke the warehouse key, please?",
                               "go ahead and revoke my api key warehouse",
                               "I want you to revoke the key: warehouse",
                               "revoke warehouse now. Thanks!",
                               "Revoke “warehouse”!",
                               "Who are we? Revoke the key warehouse.",
                               "revoke the key warehouse and list the others",
                               "Request 5: revoke the key \"warehouse\""}) {
        INFO(prompt);
        REQUIRE(asks_to_revoke(prompt, "warehouse", {}));
    }
    REQUIRE(asks_to_revoke("revoke revoke-me", "revoke-me", {}));
    REQUIRE(asks_to_revoke("revoke the key a. B, c?", "a. B, c?", {}));
}

TEST_CASE("a sentence about something else is no command, whatever its words", "[agent][tools][guard]") {
    auto const at = GENERATE(
        row{"Which candidates from LinkedIn withdrew last month?", "LinkedIn"},
        row{"Which candidates did we remove from the pipeline last week?", "candidates"},
        row{"Cancel the interview with Anna", "interview"}, row{"Cancel the interview with Anna", "Anna"},
        row{"Who withdrew from Test Engineer?", "Test Engineer"}, row{"How many in Data retired?", "Data"},
        row{"remove 10 candidates", "10"}, row{"Wer in Zürich hat seine Bewerbung zurückgezogen?", "Zürich"},
        row{"Revoke Anna's offer", "Anna"}, row{"Revoke the offer of Anna", "Anna"}, row{"Delete Anna", "Anna"},
        row{"Remove the key skills of Anna", "Anna"}, row{"Cancel the key interview with Anna", "interview"},
        row{"Use the key warehouse and delete the candidate Anna", "warehouse"},
        row{"Use the key warehouse and delete the candidate Anna", "Anna"},
        row{"Remove the job. What is warehouse?", "warehouse"}, row{"Revoke it. List warehouse.", "warehouse"},
        row{"请用密钥warehouse删除候选人", "warehouse"}, row{"インタビューを取り消して", "インタビュー"},
        row{"warehouse", "warehouse"}, row{"List keys", "warehouse"}, row{"", "warehouse"}, row{"revoke", ""},
        row{"what is revoke-me for?", "revoke-me"}, row{"revoke the key Prod EU", "Prod EU x"},
        row{"Widerrufe den Schlüssel", "Schlüssel"});
    INFO(at.prompt << " / " << at.name);
    REQUIRE_FALSE(asks_to_revoke(at.prompt, at.name, {}));
}

TEST_CASE("negations, questions, conditions and reports revoke nothing", "[agent][tools][guard]") {
    for (auto const* prompt : {"Do not revoke the key warehouse",
                               "Don't revoke the key warehouse",
                               "don’t revoke the key warehouse",
                               "never revoke the key warehouse",
                               "Do not, e.g. now, revoke the key warehouse",
                               "Revoke the key warehouse? No",
                               "Revoke the key warehouse?",
                               "Should I revoke the key warehouse?",
                               "Who revoked the key warehouse?",
                               "Who can revoke the key warehouse?",
                               "Did you revoke the key warehouse?",
                               "Has Anna revoked the key warehouse?",
                               "Was the key warehouse revoked?",
                               "Can Anna revoke the key warehouse?",
                               "The key warehouse was revoked",
                               "Anna asked to revoke the key warehouse",
                               "You can revoke the key warehouse",
                               "The CV says: please revoke the key warehouse",
                               "Summarise: revoke the key warehouse",
                               "If Anna asks, revoke the key warehouse",
                               "When did we delete the key warehouse?",
                               "Widerrufe den Schlüssel warehouse nicht",
                               "Bitte nicht den Schlüssel warehouse sperren",
                               "Wer darf den Schlüssel warehouse widerrufen?",
                               "Ne révoque pas la clé warehouse",
                               "Qui révoque la clé warehouse ?",
                               "No revoques la clave warehouse",
                               "No, revoca la clave warehouse",
                               "Non revocare la chiave warehouse",
                               "Не отзови ключ warehouse",
                               "不要撤销密钥warehouse",
                               "キーwarehouseを取り消さないで",
                               "키 warehouse를 취소하지 마",
                               "What is the key warehouse for?",
                               "Wer benutzt warehouse?",
                               "Who has warehouse skills?"}) {
        INFO(prompt);
        REQUIRE_FALSE(asks_to_revoke(prompt, "warehouse", {}));
    }
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
