// What is made of a model server's answer: the recorded shapes of three servers, and what no server should send.
#include "auth_api/agent/model/chat_completion.hpp"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace chat_answer_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

model_reply reply(std::string content, std::vector<tool_call> calls, token_usage usage) {
    return {std::move(content), std::move(calls), usage};
}

std::string const refused = "an error instead of a response";

std::map<std::string, model_reply> const readings{
    {"ollama_tool_call", reply("", {{"call_x7k2m9qa", "list_jobs", R"({"status":"open"})"}}, {812, 31})},
    {"ollama_two_tool_calls",
     reply("", {{"call_p1r8zt3c", "get_job", R"({"id":"7f"})"}, {"call_p1r8zt3d", "get_pipeline", R"({"jobId":"7f"})"}},
           {812, 31})},
    {"ollama_cut_by_length", reply("There are", {}, {23, 2})},
    {"ollama_only_reasoning", reply("", {}, {640, 50})},
    {"ollama_no_finish_reason", reply("Four jobs are open.", {}, {701, 9})},
    {"vllm_tool_call",
     reply("", {{"chatcmpl-tool-2f8a1b7c9d0e4f5a", "search_candidates", R"({"q": "Rossi"})"}}, {930, 24})},
    {"vllm_empty_tool_calls", reply("Two candidates are called Rossi.", {}, {1210, 8})},
    {"vllm_finish_without_calls", reply("Good morning. What would you like to know?", {}, {402, 11})},
    {"vllm_stop_with_calls", reply("", {{"chatcmpl-tool-9b1d5e77", "list_members", "{}"}}, {515, 13})},
    {"vllm_stop_reason_number", reply("None.", {}, {377, 2})},
    {"vllm_usage_partial", reply("One.", {}, {377, 0})},
    {"vllm_reasoning_only", reply("", {}, {350, 40})},
    {"llamacpp_tool_call", reply("", {{"qRb5tKx0PzLw2nVd", "get_candidate", R"({"id":"c3"})"}}, {288, 17})},
    {"llamacpp_arguments_object",
     reply("", {{"uE9sHc4Yd1", "search_audit", R"({"memberId":"4e","limit":5})"}}, {288, 17})},
    {"llamacpp_empty_ids",
     reply("", {{"made_0", "list_jobs", R"({"status":"open"})"}, {"made_1", "list_members", "{}"}}, {288, 17})},
    {"llamacpp_missing_id", reply("", {{"made_0", "get_billing", "{}"}}, {288, 17})},
    {"llamacpp_content_absent", reply("", {{"n4", "get_organization", "{}"}}, {288, 17})},
    {"llamacpp_cut_arguments", reply("", {{"k8", "search_candidates", R"({"q":"Ros)"}}, {288, 2048})},
    {"llamacpp_empty_content", reply("", {}, {288, 1})},
    {"llamacpp_reasoning_and_text", reply("The job is open.", {}, {288, 17})},
    {"llamacpp_no_usage", reply("The job is closed.", {}, {0, 0})},
};
std::set<std::string> const errors{"ollama_error", "vllm_error", "llamacpp_error"};

std::string content_of(std::filesystem::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string why_bad(std::string_view body) {
    auto const read = read_chat_answer(body, "made_");
    auto const* const failed = std::get_if<model_failure>(&read);
    if (failed == nullptr) return "read";
    return failed->why == model_failure::kind::bad_response ? failed->detail : "of another kind";
}

model_reply read_message(std::string const& message, std::string const& after = "") {
    auto const read = read_chat_answer(R"({"choices":[{"message":)" + message + "}]" + after + "}", "made_");
    REQUIRE(std::holds_alternative<model_reply>(read));
    return std::get<model_reply>(read);
}

std::string why_bad_message(std::string const& message) {
    return why_bad(R"({"choices":[{"message":)" + message + "}]}");
}

} // namespace

TEST_CASE("recorded answers of model servers are read", "[agent][chat]") {
    std::size_t seen = 0;
    for (auto const& entry :
         std::filesystem::directory_iterator(RECRUITING_SOURCE_DIR "/tests/support/model_answers")) {
        if (entry.path().extension() != ".json") continue;
        auto const name = entry.path().stem().string();
        INFO(name);
        ++seen;
        if (errors.contains(name)) {
            CHECK(why_bad(content_of(entry.path())) == refused);
            continue;
        }
        REQUIRE(readings.contains(name));
        auto const read = read_chat_answer(content_of(entry.path()), "made_");
        REQUIRE(std::holds_alternative<model_reply>(read));
        auto const& got = std::get<model_reply>(read);
        auto const& wanted = readings.at(name);
        CHECK(got.content == wanted.content);
        CHECK(got.tool_calls == wanted.tool_calls);
        CHECK(got.usage == wanted.usage);
    }
    CHECK(seen == readings.size() + errors.size());
}

TEST_CASE("what is no chat completion is a bad answer", "[agent][chat]") {
    CHECK(why_bad("") == "not JSON");
    CHECK(why_bad("<!doctype html><title>Bad gateway</title>") == "not JSON");
    CHECK(why_bad(R"({"choices":[{"message":{"content":"half)") == "not JSON");
    CHECK(why_bad(R"({"choices":[]} and more)") == "not JSON");
    CHECK(why_bad(R"({"choices":[{"message":{"content":"\ud800"}}]})") == "not JSON");
    CHECK(why_bad("{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}") == "not UTF-8");
    CHECK(why_bad(std::string(65, '[') + std::string(65, ']')) == "nested too deeply");
    CHECK(why_bad("[]") == "no object");
    CHECK(why_bad("{}") == "no choices");
    CHECK(why_bad(R"({"choices":null})") == "no choices");
    CHECK(why_bad(R"({"choices":{}})") == "no choices");
    CHECK(why_bad(R"({"choices":[]})") == "no choices");
    CHECK(why_bad(R"({"choices":["text"]})") == "no message");
    CHECK(why_bad(R"({"choices":[{}]})") == "no message");
    CHECK(why_bad_message("null") == "no message");
    CHECK(why_bad_message(R"("text")") == "no message");
    CHECK(why_bad_message(R"({"content":7})") == "content of another type");
    CHECK(why_bad_message(R"({"content":{"text":"x"}})") == "content of another type");
    CHECK(why_bad_message(R"({"tool_calls":{}})") == "tool calls of another type");
    CHECK(why_bad_message(R"({"tool_calls":"list_jobs"})") == "tool calls of another type");
    CHECK(why_bad(R"({"error":"overloaded"})") == refused);
    CHECK(why_bad(R"({"error":{},"choices":[{"message":{"content":"x"}}]})") == refused);
    CHECK(why_bad(R"({"error":null,"choices":[{"message":{"content":"x"}}]})") == "read");
}

TEST_CASE("contents of any kind become text", "[agent][chat]") {
    CHECK(read_message(R"({"content":"Zwölf."})").content == "Zwölf.");
    CHECK(read_message(R"({"role":"assistant","content":null,"tool_calls":null})").content.empty());
    CHECK(read_message("{}").content.empty());
    CHECK(read_message(R"({"content":[]})").content.empty());
    CHECK(read_message(R"({"content":[{"type":"text","text":"one "},{"type":"image_url"},"x",{"text":"two"}]})")
              .content == "one two");
    CHECK(read_message(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"they ask"}]},)"
                       R"({"type":"reasoning","text":"for jobs"},{"type":"output_text","text":"Three."}]})")
              .content == "Three.");
    CHECK(read_message(R"({"content":"a\u0000b"})").content == "a\xEF\xBF\xBD"
                                                               "b");
}

TEST_CASE("an answer's thoughts are in no field of the reply", "[agent][chat]") {
    for (std::string const field : {"reasoning", "reasoning_content", "thinking"})
        CHECK(read_message(R"({"content":"Three.",")" + field + R"(":"they ask"})").content == "Three.");
    std::string const called = R"(,"tool_calls":[{"id":"x","function":{"name":"a"}}]})";
    CHECK(read_message(R"({"content":"<think>they ask</think>\nI look it up.")" + called).content == "I look it up.");
    CHECK(read_message(R"({"content":"<think>they ask")" + called).content.empty());
}

TEST_CASE("tool calls in the text are recognized, unless the server has read them as well", "[agent][chat]") {
    std::string const text = R"({"content":"<tool_call>{\"name\":\"a\"}</tool_call>")";
    auto const left = read_message(text + "}");
    CHECK(left.calls_in_text);
    CHECK(left.content.empty());
    auto const read = read_message(text + R"(,"tool_calls":[{"id":"x","function":{"name":"a"}}]})");
    CHECK_FALSE(read.calls_in_text);
    CHECK(read.content.empty());
    CHECK(read.tool_calls == std::vector<tool_call>{{"x", "a", "{}"}});
}

TEST_CASE("tool calls of any kind are made callable", "[agent][chat]") {
    auto const calls = [](std::string const& list) {
        return read_message(R"({"tool_calls":)" + list + "}").tool_calls;
    };
    CHECK(calls("[]").empty());
    CHECK(calls(R"(["x",{},{"id":"","type":"function"},{"function":{"arguments":"{}"}},{"function":{"name":""}}])")
              .empty());
    CHECK(calls(R"([{"function":{"name":"a"}}])") == std::vector<tool_call>{{"made_0", "a", "{}"}});
    CHECK(calls(R"([{"id":null,"function":{"name":"a","arguments":null}}])") ==
          std::vector<tool_call>{{"made_0", "a", "{}"}});
    CHECK(calls(R"([{"id":7,"function":{"name":"a","arguments":"  "}}])") ==
          std::vector<tool_call>{{"made_0", "a", "{}"}});
    CHECK(calls(R"([{"id":"x","function":{"name":"a","arguments":[1]}}])") ==
          std::vector<tool_call>{{"x", "a", "[1]"}});
    CHECK(calls(R"([{"id":"x","function":{"name":"a"}},{"id":"x","function":{"name":"b"}}])") ==
          std::vector<tool_call>{{"x", "a", "{}"}, {"made_1", "b", "{}"}});
    CHECK(calls(R"([{"id":"a\u0000b","function":{"name":"drop table\u0000;ü"}}])") ==
          std::vector<tool_call>{{"made_0", "drop_table____", "{}"}});
    CHECK(calls(R"([{"id":"x","function":{"name":"a","arguments":"{\u0000}"}}])").front().arguments ==
          "{\xEF\xBF\xBD}");
    auto const lengthy =
        calls(R"([{"id":")" + std::string(129, 'i') + R"(","function":{"name":")" + std::string(100, 'n') + R"("}}])");
    CHECK(lengthy == std::vector<tool_call>{{"made_0", std::string(64, 'n'), "{}"}});
    CHECK(calls(R"([{"id":")" + std::string(128, 'i') + R"(","function":{"name":"a"}}])").front().id.size() == 128);
}

TEST_CASE("usage counts when it can be counted", "[agent][chat]") {
    auto const usage = [](std::string const& text) { return read_message("{}", R"(,"usage":)" + text).usage; };
    CHECK(usage("null") == token_usage{0, 0});
    CHECK(usage("[]") == token_usage{0, 0});
    CHECK(usage("{}") == token_usage{0, 0});
    CHECK(usage(R"({"prompt_tokens":5})") == token_usage{5, 0});
    CHECK(usage(R"({"prompt_tokens":"5","completion_tokens":1.5})") == token_usage{0, 0});
    CHECK(usage(R"({"prompt_tokens":-5,"completion_tokens":9000000000000000000})") == token_usage{0, 1'000'000'000});
    CHECK(usage(R"({"prompt_tokens":18446744073709551615})") == token_usage{0, 0});
}

} // namespace chat_answer_test
