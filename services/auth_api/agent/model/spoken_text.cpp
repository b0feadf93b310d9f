// What of a model's text is a reply. A server that has no parser for its model's family, or was not told to use it,
// leaves thoughts and tool calls in the text, in the markup that the model was trained on.
#include "auth_api/agent/model/chat_completion.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>

namespace recruiting::auth_api::agent {
namespace {

namespace json = boost::json;

struct thought_tag {
    std::string_view opening;
    std::string_view closing;
};
constexpr std::array<thought_tag, 10> thought_tags = {{
    {"<think>", "</think>"}, // Qwen, DeepSeek, GLM, MiniMax
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"},
    {"<reasoning>", "</reasoning>"},
    {"[THINK]", "[/THINK]"},                        // Mistral
    {"◁think▷", "◁/think▷"},                        // Kimi
    {"<seed:think>", "</seed:think>"},              // Seed-OSS
    {"<|channel>thought", "<channel|>"},            // Gemma
    {"<|START_THINKING|>", "<|END_THINKING|>"},     // Command
    {"<|begin_of_thought|>", "<|end_of_thought|>"}, // OpenThinker
}};

constexpr std::array<std::string_view, 15> call_beginnings = {
    "<tool_call",     // Hermes, Qwen, GLM
    "<function=",     // Llama, Qwen3-Coder
    "<function_call", // Hermes before 2
    "<functioncall",  // the same
    "<toolcall>",     // Nemotron
    "<invoke name=",  // MiniMax
    "<minimax:tool_call>", "<seed:tool_call>",
    "<|tool_call",      // Kimi, LFM, Phi, Granite, Gemma
    "<|python_tag|>",   // Llama
    "<|action_start|>", // InternLM
    "<|START_ACTION|>", // Command
    "<｜tool▁call",     // DeepSeek
    "[TOOL_CALL",       // Mistral
    "commentary to=",   // gpt-oss, without its special tokens
};

bool begins_with(std::string_view text, std::string_view what) noexcept {
    return text.size() >= what.size() && text.front() == what.front() && iequals(text.substr(0, what.size()), what);
}

std::size_t find_tag(std::string_view text, std::string_view tag, std::size_t from) noexcept {
    for (auto at = text.find(tag.front(), from); at != text.npos; at = text.find(tag.front(), at + 1))
        if (begins_with(text.substr(at), tag)) return at;
    return text.npos;
}

// Reads a text once, from its beginning. Tags in Markdown's code and in quotation marks are mentioned, not used.
class thought_remover {
public:
    explicit thought_remover(std::string_view text) : text_(text) {}

    std::string remove() {
        while (at_ < text_.size())
            if (!take_tag()) take_characters();
        return removed_ ? std::string(trim(kept_)) : kept_;
    }

private:
    bool take_tag() {
        if (in_fence_ || in_code_) return false;
        for (std::size_t i = 0; i < thought_tags.size(); ++i) {
            if (is_here(thought_tags[i].opening)) return take_thought(i);
            if (is_here(thought_tags[i].closing)) return take_closing(thought_tags[i].closing);
        }
        return false;
    }

    [[nodiscard]] bool is_here(std::string_view tag) const {
        if (!begins_with(text_.substr(at_), tag)) return false;
        auto const before = at_ == 0 ? ' ' : text_[at_ - 1];
        auto const after = at_ + tag.size() == text_.size() ? ' ' : text_[at_ + tag.size()];
        return before != after || (before != '"' && before != '\'');
    }

    // A thought without an end was cut off by the length limit if it begins the text, or a line after another thought.
    // Elsewhere its tag is text.
    bool take_thought(std::size_t kind) {
        auto const& [opening, closing] = thought_tags[kind];
        auto const end = unclosed_[kind] ? text_.npos : find_tag(text_, closing, at_ + opening.size());
        unclosed_[kind] = end == text_.npos;
        bool const cut = trim(kept_).empty() || (removed_ && at_line_start());
        if (unclosed_[kind] && !cut) return false;
        at_ = unclosed_[kind] ? text_.size() : end + closing.size();
        removed_ = true;
        return true;
    }

    // The model's prompt template has opened this thought, so that it began with the text.
    bool take_closing(std::string_view closing) {
        kept_.clear();
        at_ += closing.size();
        removed_ = true;
        return true;
    }

    [[nodiscard]] bool at_line_start() const {
        auto const last = kept_.find_last_not_of(" \t");
        return last == kept_.npos || kept_[last] == '\n';
    }

    void take_characters() {
        constexpr std::string_view fence = "```";
        bool const fenced = text_.substr(at_, fence.size()) == fence && at_line_start();
        if (fenced) in_fence_ = !in_fence_;
        else if (text_[at_] == '`') in_code_ = !in_code_;
        else if (text_[at_] == '\n') in_code_ = false;
        auto const size = fenced ? fence.size() : 1;
        kept_ += text_.substr(at_, size);
        at_ += size;
    }

    std::string_view text_;
    std::size_t at_{0};
    std::string kept_;
    bool removed_{false};
    bool in_fence_{false};
    bool in_code_{false};                              // inside a line
    std::array<bool, thought_tags.size()> unclosed_{}; // no closing tag of this kind follows
};

// The answer of gpt-oss is a sequence of messages in channels, and the one in "final" is the reply. Some servers drop
// the special tokens and leave the words between them ("analysisWe need … assistantfinalThree jobs").
std::optional<std::string> final_message(std::string_view text) {
    constexpr std::string_view words = "analysis";
    bool const without_tokens =
        text.starts_with(words) && text.size() > words.size() && text[words.size()] >= 'A' && text[words.size()] <= 'Z';
    if (!without_tokens && !text.starts_with("<|channel|>") && !text.starts_with("<|start|>") &&
        text.find("<|start|>assistant<|channel|>final") == text.npos)
        return std::nullopt;
    std::string_view const channel = without_tokens ? "assistantfinal" : "<|channel|>final";
    std::string_view const header_end = without_tokens ? "" : "<|message|>";
    auto const header = text.rfind(channel);
    auto const begin = header == text.npos ? header : text.find(header_end, header + channel.size());
    if (begin == text.npos) return std::string();
    auto const message = text.substr(begin + header_end.size());
    return std::string(trim(message.substr(0, without_tokens ? message.npos : message.find("<|"))));
}

bool is_call(json::value const& value) {
    auto const* const object = value.if_object();
    if (object == nullptr) return false;
    if (auto const* const function = object->if_contains("function"); function != nullptr && function->is_object())
        return is_call(*function);
    auto const* const name = object->if_contains("name");
    if (name == nullptr || !name->is_string() || name->get_string().empty()) return false;
    auto const in_name = [](char c) { return is_alphanumeric(c) || c == '_' || c == '-' || c == '.'; };
    return std::ranges::all_of(name->get_string(), in_name) &&
           (object->contains("arguments") || object->contains("parameters"));
}

std::string_view without_code_fence(std::string_view text) {
    constexpr std::string_view fence = "```";
    auto const line = text.find('\n');
    if (!text.starts_with(fence) || !text.ends_with(fence) || line == text.npos) return text;
    return trim(text.substr(line, text.size() - line - fence.size()));
}

bool is_json_call(std::string_view text) {
    if (!text.starts_with('{') && !text.starts_with('[')) return false;
    boost::system::error_code error;
    auto const value = json::parse(text, error);
    if (error) return false;
    auto const* const list = value.if_array();
    return list == nullptr ? is_call(value) : !list->empty() && std::ranges::all_of(*list, is_call);
}

bool is_call_markup(std::string_view text) {
    auto const begins = [&](std::string_view what) { return begins_with(text, what); };
    return !text.empty() && (std::ranges::any_of(call_beginnings, begins) || is_json_call(without_code_fence(text)));
}

} // namespace

spoken_text read_spoken(std::string_view content) {
    auto const text = trim(content);
    if (auto const message = final_message(text)) {
        bool const calls = message->empty() && text.find(" to=functions.") != text.npos;
        return {*message, calls || is_call_markup(*message)};
    }
    auto kept = thought_remover(content).remove();
    bool const calls = is_call_markup(trim(kept));
    return {std::move(kept), calls};
}

} // namespace recruiting::auth_api::agent
