// What of a model's text is a reply: thoughts are none, nor are tool calls that no parser has read.
#include "auth_api/agent/model/chat_completion.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <fstream>
#include <iterator>

namespace spoken_text_test {
using namespace recruiting::auth_api::agent;

namespace {

std::string kept(std::string_view content) {
    auto const spoken = read_spoken(content);
    return spoken.is_tool_call ? "a tool call" : spoken.text;
}

std::string on(std::string_view opening, std::string_view closing) {
    return kept(std::string(opening) + "they ask\nfor jobs" + std::string(closing) + "\n\nThree.");
}

} // namespace

TEST_CASE("a reported content becomes the reply that may be sent", "[agent][chat]") {
    std::ifstream in(RECRUITING_SOURCE_DIR "/tests/support/model_replies.json");
    auto const all = boost::json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
    auto const& cases = all.at("cases").as_array();
    REQUIRE(cases.size() == 4);
    for (auto const& one : cases) {
        std::string const content(one.at("content").as_string());
        INFO(content);
        CHECK(kept(content) == (one.at("reply").is_null() ? "" : std::string(one.at("reply").as_string())));
    }
}

TEST_CASE("thoughts in the tags of any family are removed", "[agent][chat]") {
    CHECK(on("<think>", "</think>") == "Three.");
    CHECK(on(" \n<Think>", "</THINK>") == "Three.");
    CHECK(on("<thinking>", "</thinking>") == "Three.");
    CHECK(on("<thought>", "</thought>") == "Three.");
    CHECK(on("<reasoning>", "</reasoning>") == "Three.");
    CHECK(on("[THINK]", "[/THINK]") == "Three.");
    CHECK(on("◁think▷", "◁/think▷") == "Three.");
    CHECK(on("<seed:think>", "</seed:think>") == "Three.");
    CHECK(on("<|channel>thought\n", "<channel|>") == "Three.");
    CHECK(on("<|START_THINKING|>", "<|END_THINKING|>") == "Three.");
    CHECK(on("", "[/THINK]") == "Three.");
    CHECK(kept("<think></think>Three.") == "Three.");
    CHECK(kept("<think>a</think>\n<think>b</think>Three.\n") == "Three.");
    CHECK(kept("<think>a</think>Three. <think>b</think>Four.") == "Three. Four.");
    CHECK(kept("<think>of <think> tags</think>Three.") == "Three.");
    CHECK(kept("<think>a <think>b</think> c</think>Three.") == "Three.");
    CHECK(kept("they say \"three\"</think>Three.") == "Three.");
    CHECK(kept("<think>`</think>Three.") == "Three.");
}

TEST_CASE("a thought that was cut off, or nothing but thoughts, is no reply", "[agent][chat]") {
    CHECK(kept("<think>").empty());
    CHECK(kept("\n<thinking>they ask").empty());
    CHECK(kept("[THINK]they ask").empty());
    CHECK(kept("<think>a</think>").empty());
    CHECK(kept("they ask</think>\n").empty());
    CHECK(kept("<think>a</think>\n<think>b").empty());
    CHECK(kept("<think>a</think>\nThree.\n<think>b") == "Three.");
}

TEST_CASE("a tag that is only mentioned stays", "[agent][chat]") {
    for (std::string_view const text : {
             "Three jobs are open.\n",
             "",
             "Use the <think> tag in HTML like this.",
             "First.\n<think>\nis an opening tag.",
             "Write `<think>a</think>` around it.",
             "A thought ends with `</think>`.",
             "It ends with \"</think>\" or '</think>'.",
             "`<think>` opens it.",
             "Like this:\n\n```html\n<think>\na\n</think>\n```\n",
             "Wrap <thinker>it</thinker>.",
         })
        CHECK(kept(text) == text);
    CHECK(kept("<think>tags</think>Use the <think> tag in HTML.") == "Use the <think> tag in HTML.");
}

TEST_CASE("of the channels of gpt-oss only the final one is the reply", "[agent][chat]") {
    CHECK(kept("<|channel|>analysis<|message|>they ask<|end|><|start|>assistant<|channel|>final<|message|>Three."
               "<|return|>") == "Three.");
    CHECK(kept("<|channel|>analysis they ask<|channel|>final<|message|>Three.") == "Three.");
    CHECK(kept("they ask<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}") == "{}");
    CHECK(kept("<|channel|>final<|message|>Three.") == "Three.");
    CHECK(kept("analysisThey ask for jobs.assistantfinalThree.") == "Three.");
    CHECK(kept("<|channel|>analysis<|message|>they ask").empty());
    CHECK(kept("analysisThey ask").empty());
    CHECK(kept("<|channel|>analysis<|message|>they ask<|end|><|start|>assistant<|channel|>commentary "
               "to=functions.list_jobs <|constrain|>json<|message|>{}<|call|>") == "a tool call");
    CHECK(kept("analysisThey ask.assistantcommentary to=functions.list_jobs json{}") == "a tool call");
    for (std::string_view const text : {"The analysis is done.", "analysis of jobs: three", "final: three",
                                        "Models write <|channel|>final<|message|> first."})
        CHECK(kept(text) == text);
}

TEST_CASE("a tool call that is written as text is no reply", "[agent][chat]") {
    for (std::string_view const text : {
             "<tool_call>\n{\"name\":\"list_jobs\",\"arguments\":{}}\n</tool_call>",
             "<think>they ask</think>\n\n<tool_call>{\"name\":\"list_jobs\"}",
             "[TOOL_CALLS][{\"name\":\"list_jobs\",\"arguments\":{}}]",
             "<function=list_jobs>{}</function>",
             "<|tool_call|>[{\"name\":\"list_jobs\"}]",
             "<|python_tag|>list_jobs.call()",
             "<｜tool▁calls▁begin｜>",
             "```json\n{\"name\": \"list_jobs\", \"arguments\": {\"status\": \"open\"}}\n```",
             "{\"name\":\"list_jobs\",\"parameters\":{}}",
             "[{\"type\":\"function\",\"function\":{\"name\":\"list_jobs\",\"arguments\":\"{}\"}}]",
         }) {
        INFO(text);
        CHECK(kept(text) == "a tool call");
    }
}

TEST_CASE("prose and data that are no tool call stay", "[agent][chat]") {
    for (std::string_view const text : {
             "A model writes <tool_call> before a call, and [TOOL_CALLS] elsewhere.",
             "`<tool_call>` begins one.",
             "```json\n{\"name\": \"list_jobs\", \"arguments\": {}}\n```\nis such a call.",
             "{\"name\":\"Anna Schmidt\",\"arguments\":\"none\"}",
             "{\"name\":\"Accountant\",\"status\":\"open\"}",
             "{\"name\":\"list_jobs\",\"arguments\":",
             "[]",
             "[Accountant](https://example.com)",
             "```",
             "``````",
         }) {
        INFO(text);
        CHECK(kept(text) == text);
    }
}

TEST_CASE("a long text of tags is read in one go", "[agent][chat]") {
    std::string openings = "a";
    for (int i = 0; i < 100'000; ++i) openings += "<think><thinking>[THINK]";
    CHECK(kept(openings) == openings);
    CHECK(kept(openings + "</think>b") == "ab");
    CHECK(kept(openings + std::string(100'000, '[')).size() == openings.size() + 100'000);
}

} // namespace spoken_text_test
