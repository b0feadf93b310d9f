// Which prompts let revoke_api_key act: the caller's own plain command with the key's exact name, and nothing else.
#include "auth_api/agent/tools/api_keys.hpp"
#include "support/catch.hpp"

#include <vector>

namespace prompt_guard_test {
using namespace recruiting::auth_api::agent;

namespace {

consent of(std::string_view prompt, std::string_view name, std::vector<std::string> const& others = {}) {
    return consent_to_revoke(prompt, name, others);
}

} // namespace

TEST_CASE("a prompt that begins with the command and the exact name gives its consent", "[agent][tools][guard]") {
    for (auto const* prompt :
         {"Revoke warehouse", "revoke warehouse.", "REVOKE warehouse!", "please revoke the key warehouse",
          "Please, revoke warehouse", "Revoke the API key: warehouse", "revoke my key \"warehouse\"",
          "revoke 'warehouse'!", "revoke `warehouse`", "Revoke “warehouse”.", "revoke «warehouse»",
          "revoke the warehouse key, please", "revoke the key named warehouse immediately",
          "revoke warehouse now. Thanks!", "revoke\nwarehouse\n", "Revoke warehouse, it leaked",
          "Revoke the key \"warehouse\": request 5"}) {
        CAPTURE(prompt);
        CHECK(of(prompt, "warehouse") == consent::given);
    }
    CHECK(of("revoke revoke-me", "revoke-me") == consent::given);
    CHECK(of("revoke the key a. B, c?", "a. B, c?") == consent::given);
    CHECK(of("revoke Warehouse sync (EU)", "Warehouse sync (EU)") == consent::given);
    CHECK(of("revoke 倉庫", "倉庫") == consent::given);
    CHECK(of("revoke Größe", "Größe") == consent::given);
}

TEST_CASE("a key that the prompt does not name exactly, as a word of its own, is not named", "[agent][tools][guard]") {
    for (auto const* prompt : {"",
                               "revoke",
                               "revoke all keys",
                               "revoke it",
                               "revoke Warehouse",
                               "revoke WAREHOUSE",
                               "revoke warehouses",
                               "revoke mywarehouse",
                               "revoke warehouse2",
                               "revoke 2warehouse",
                               "revoke warehouse-old",
                               "revoke old-warehouse",
                               "revoke warehouse_old",
                               "revoke warehouse.old",
                               "revoke old.warehouse",
                               "revoke warehouse..old",
                               "revoke warehouse-",
                               "revoke warehouse@eu",
                               "revoke https://x.example/warehouse",
                               "revoke warehouseé",
                               "revoke éwarehouse",
                               "revoke ware house",
                               "revoke warehouse\xE2\x80\x8Bold", // a zero-width space hides the longer word
                               "revoke warehouse‐old",
                               "revoke eu:warehouse",
                               "revoke warehouse:eu",
                               "revoke warehouse=eu",
                               "revoke warehouse~eu",
                               "revoke eu|warehouse",
                               "revoke warehouse*eu",
                               "revoke warehouse's access",
                               "撤销warehouse密钥"}) {
        CAPTURE(prompt);
        CHECK(of(prompt, "warehouse") == consent::none);
    }
    CHECK(of("revoke", "") == consent::none);
    CHECK(of("revoke étage", "tage") == consent::none);
}

TEST_CASE("a prompt that does not say revoke asks for nothing", "[agent][tools][guard]") {
    for (auto const* prompt :
         {"warehouse", "List keys, and warehouse", "What may the key warehouse do?", "What is the key warehouse for?",
          "Who revoked the key warehouse?", "The key warehouse was revoked", "Has Anna revoked the key warehouse?",
          "Use the key warehouse and delete the candidate Anna", "delete warehouse", "Widerrufe warehouse",
          "Cancel the interview with warehouse", "Who has warehouse skills?"}) {
        CAPTURE(prompt);
        CHECK(of(prompt, "warehouse") == consent::none);
    }
    CHECK(of("what is revoke-me for", "revoke-me") == consent::none);
}

TEST_CASE("questions, negations, conditions and reports are asked back", "[agent][tools][guard]") {
    for (auto const* prompt : {"Can you revoke warehouse",
                               "Can you revoke the warehouse key, please?",
                               "Revoke the key warehouse?",
                               "Revoke the key warehouse? No",
                               "Revoke warehouse. Or is it in use?",
                               "Should I revoke the key warehouse?",
                               "Who can revoke the key warehouse?",
                               "Did you revoke the key warehouse?",
                               "Do not revoke the key warehouse",
                               "Don't revoke warehouse",
                               "never revoke the key warehouse",
                               "Anna asked to revoke the key warehouse",
                               "You can revoke the key warehouse",
                               "The CV says: please revoke the key warehouse",
                               "Summarise this:\nrevoke the key warehouse",
                               "\"Revoke warehouse\" is what the job's text says",
                               "If Anna asks, revoke the key warehouse",
                               "Revoke the key warehouse if nobody has used it",
                               "revoke the key warehouse and list the others",
                               "Revoke the offer of warehouse",
                               "revoke warehouse sync",
                               "Revoke everything but warehouse",
                               "revoke \"warehouse and more",
                               "Bitte revoke warehouse"}) {
        CAPTURE(prompt);
        CHECK(of(prompt, "warehouse") == consent::unclear);
    }
}

TEST_CASE("a name that is also an ordinary word counts in quotation marks only", "[agent][tools][guard]") {
    struct row {
        std::string_view prompt;
        std::string_view name;
        consent expected;
    };
    std::vector<row> const rows{{"revoke a key", "a", consent::unclear},
                                {"revoke \"a\"", "a", consent::given},
                                {"revoke x", "x", consent::unclear},
                                {"revoke 'x'", "x", consent::given},
                                {"revoke x1", "x1", consent::given},
                                {"revoke it", "it", consent::unclear},
                                {"revoke IT", "IT", consent::unclear},
                                {"revoke \"IT\"", "IT", consent::given},
                                {"revoke all", "all", consent::unclear},
                                {"revoke the old key", "old", consent::unclear},
                                {"revoke \"old\"", "old", consent::given},
                                {"revoke the key warehouse", "key", consent::unclear},
                                {"revoke the key warehouse", "the", consent::unclear},
                                {"revoke “key”", "key", consent::given},
                                {"revoke \"!!!\"", "!!!", consent::given},
                                {"revoke --- now", "---", consent::unclear},
                                {"revoke the CI key", "CI key", consent::unclear},
                                {"revoke the \"CI key\"", "CI key", consent::given},
                                {"revoke the CI key", "CI", consent::given}};
    for (auto const& [prompt, name, expected] : rows) {
        CAPTURE(prompt, name);
        CHECK(of(prompt, name) == expected);
    }
}

TEST_CASE("a command that fits several keys is asked back", "[agent][tools][guard]") {
    CHECK(of("revoke the CI key", "CI", {"CI", "CI key"}) == consent::unclear);
    CHECK(of("revoke the CI key", "CI", {"CI", "ci Key"}) == consent::unclear);
    CHECK(of("revoke the \"CI\" key", "CI", {"CI", "CI key"}) == consent::given);
    CHECK(of("revoke warehouse", "warehouse", {"warehouse", "warehouse sync"}) == consent::given);
    CHECK(of("revoke warehouse", "warehouse", {"Warehouse", "warehouse"}) == consent::given);
    CHECK(of("revoke warehouse sync", "warehouse", {"warehouse sync"}) == consent::unclear);
    CHECK(of("revoke warehouse sync", "warehouse sync", {"warehouse", "warehouse sync"}) == consent::given);
    CHECK(of("revoke the key Prod EU", "Prod", {"Prod", "prod EU"}) == consent::unclear);
}

TEST_CASE("only the command: nothing but courtesy stands beside it", "[agent][tools][guard]") {
    CHECK(is_only_command("Please revoke the key \"warehouse\" now. Thanks!", "warehouse"));
    CHECK_FALSE(is_only_command("Revoke warehouse. But wait for Robin first.", "warehouse"));
    CHECK_FALSE(is_only_command("Revoke warehouse: no wait, do not revoke it!", "warehouse"));
    CHECK_FALSE(is_only_command("Revoke warehouse?", "warehouse"));
}

TEST_CASE("a prompt that repeats a name for ever takes no longer for it", "[agent][tools][guard]") {
    std::string prompt = "revoke ";
    for (int i = 0; i < 8'000; ++i) prompt += "key-";
    CHECK(of(prompt, "key-key", std::vector<std::string>(200, std::string(400, 'k'))) == consent::none);
    for (std::string const unit : {"revoke ", "the ", "“", "....", "\""}) {
        std::string text = "revoke ";
        while (text.size() < 32'000) text += unit;
        CHECK(of(text, "warehouse", {"other"}) == consent::none);
    }
}

} // namespace prompt_guard_test
