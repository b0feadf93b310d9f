#include "http/query.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <functional>

namespace recruiting::http {
namespace {

constexpr std::size_t most_parameters = 64;

std::string join(std::initializer_list<std::string_view> items) {
    std::string out;
    for (auto const item : items) out.append(out.empty() ? "" : ", ").append(item);
    return out;
}

// An unencoded + arrives as a space. A text that would be a time in UTC with it gets that advice.
std::string advice_on_query_time(std::string text, time_fault fault) {
    auto const space = text.rfind(' ');
    if (fault == time_fault::malformed && space != std::string::npos) {
        text[space] = '+';
        fault = read_utc_time(text).fault;
        if (fault == time_fault::none)
            return "An unencoded + means a space here: encode + as %2B, or end the time with Z.";
    }
    return std::string(advice_on(fault));
}

bool is_whole_number(std::string_view text) noexcept {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr std::size_t longest_list = 4000; // characters: 64 dashed ids, and more than 64 of any other value
constexpr std::size_t longest_quoted = 40;
constexpr std::size_t most_listed = 12; // values that a message lists: it is cut at 500 bytes

struct value_fault {
    std::string_view reason;
    std::string what;                          // ends the sentence that begins with the value
    std::span<std::string_view const> known{}; // of which the nearest is suggested
};

// The value in its one form, or nothing when it is none of the parameter's.
using reading = std::function<std::optional<std::string>(std::string_view)>;

std::optional<value_list> read_values(query_reader& query, std::string_view name, reading const& read,
                                      value_fault const& otherwise) {
    auto const text = query.text(name, longest_list, query_reader::empty::allowed);
    if (!text) return std::nullopt;
    auto const items = split(*text, ',');
    if (items.size() > most_values) {
        query.problem(name, "too_many", "Must be at most " + std::to_string(most_values) + " values.");
        return std::nullopt;
    }
    value_list values;
    for (auto const item : items) {
        auto value = read(item);
        if (!value) {
            auto const what = '"' + printable(item, longest_quoted) + "\" " + otherwise.what;
            query.problem(name, otherwise.reason, unknown_message(what, item, otherwise.known));
            return std::nullopt;
        }
        values.push_back(std::move(*value));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

} // namespace

query_reader::query_reader(std::string_view raw_query) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < raw_query.size();) {
        auto const end = std::min(raw_query.find('&', at), raw_query.size());
        auto const pair = raw_query.substr(at, end - at);
        at = end + 1;
        if (pair.empty()) continue;
        if (++count > most_parameters) {
            problem("", "too_many", "Must be at most " + std::to_string(most_parameters) + " parameters.");
            return;
        }
        add(pair);
    }
}

void query_reader::add(std::string_view pair) {
    auto const equals = pair.find('=');
    auto name = percent_decode(pair.substr(0, equals), true);
    auto value = percent_decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!name || !is_utf8(*name) || name->find('\0') != std::string::npos)
        return problem("", "bad_encoding", "A parameter's name is not percent-encoded UTF-8.");
    if (!value || !is_utf8(*value) || value->find('\0') != std::string::npos) {
        problem(*name, "bad_encoding", "Must be percent-encoded UTF-8 without NUL.");
        value = std::string();
    }
    if (std::any_of(parameters_.begin(), parameters_.end(), [&](auto const& p) { return p.name == *name; }))
        return problem(*name, "repeated",
                       "Send this parameter only once. If it takes several values, separate them with commas.");
    parameters_.push_back({std::move(*name), std::move(*value)});
}

query_reader::entry* query_reader::find(std::string_view name) {
    if (parameters_.empty()) return nullptr;
    if (asked_count_ < asked_.size()) asked_[asked_count_++] = name;
    for (auto& parameter : parameters_) {
        if (parameter.name != name) continue;
        parameter.known = true;
        return &parameter;
    }
    return nullptr;
}

bool query_reader::has(std::string_view name) { return find(name) != nullptr; }

std::optional<std::string> query_reader::text(std::string_view name, std::size_t longest, empty on_empty) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->value.empty() && on_empty == empty::refused) {
        problem(name, "empty", "Must not be empty.");
        return std::nullopt;
    }
    if (count_characters(found->value) > longest) {
        problem(name, "too_long", "Must be at most " + std::to_string(longest) + " characters.");
        return std::nullopt;
    }
    return found->value;
}

std::optional<std::int64_t> query_reader::integer(std::string_view name, std::int64_t least, std::int64_t most) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const number = parse_number<std::int64_t>(found->value);
    if (number && *number >= least && *number <= most) return number;
    problem(name, is_whole_number(found->value) ? "out_of_range" : "wrong_type",
            "Must be a number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
    return std::nullopt;
}

std::optional<bool> query_reader::boolean(std::string_view name) {
    auto const given = choice(name, {"true", "false"});
    if (!given) return std::nullopt;
    return *given == "true";
}

std::optional<uuid> query_reader::id(std::string_view name) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const id = parse_id(found->value);
    if (!id) problem(name, "invalid", "Must be an id: 32 hex characters, or the same as a dashed UUID.");
    return id;
}

std::optional<timestamp> query_reader::time(std::string_view name) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    auto const read = read_utc_time(found->value);
    if (read.fault == time_fault::none) return read.at;
    problem(name, "invalid", advice_on_query_time(found->value, read.fault));
    return std::nullopt;
}

std::optional<std::string> query_reader::choice(std::string_view name,
                                                std::initializer_list<std::string_view> allowed) {
    auto const* const found = find(name);
    if (found == nullptr) return std::nullopt;
    if (std::find(allowed.begin(), allowed.end(), found->value) != allowed.end()) return found->value;
    problem(name, "unknown_value", "Must be one of " + join(allowed) + ".");
    return std::nullopt;
}

void query_reader::problem(std::string_view name, std::string_view reason, std::string message) {
    problems_.push_back({"query", std::string(name), std::string(reason), std::move(message)});
}

void query_reader::refuse_unknown() {
    std::span<std::string_view const> const known(asked_.data(), asked_count_);
    for (auto const& parameter : parameters_)
        if (!parameter.known)
            problem(parameter.name, "unknown", unknown_message("Unknown parameter.", parameter.name, known));
}

std::optional<value_list> read_choices(query_reader& query, std::string_view name,
                                       std::initializer_list<std::string_view> allowed) {
    auto const read = [&](std::string_view item) -> std::optional<std::string> {
        if (std::find(allowed.begin(), allowed.end(), item) == allowed.end()) return std::nullopt;
        return std::string(item);
    };
    if (allowed.size() <= most_listed)
        return read_values(query, name, read, {"unknown_value", "is not one of " + join(allowed) + "."});
    std::span<std::string_view const> const known(allowed.begin(), allowed.size());
    return read_values(query, name, read, {"unknown_value", "is not one of those that the documents list.", known});
}

std::optional<value_list> read_ids(query_reader& query, std::string_view name) {
    auto const read = [](std::string_view item) -> std::optional<std::string> {
        auto const id = parse_id(item);
        if (!id) return std::nullopt;
        return to_string(*id);
    };
    return read_values(query, name, read, {"invalid", "is not an id: 32 hexadecimal characters, or a dashed UUID."});
}

std::optional<value_list> read_integers(query_reader& query, std::string_view name, std::int64_t least,
                                        std::int64_t most) {
    auto const read = [&](std::string_view item) -> std::optional<std::string> {
        auto const number = parse_number<std::int64_t>(item);
        if (!number || *number < least || *number > most) return std::nullopt;
        return std::to_string(*number);
    };
    auto const range = std::to_string(least) + " to " + std::to_string(most);
    return read_values(query, name, read, {"out_of_range", "is not a number from " + range + "."});
}

std::optional<value_list> read_words(query_reader& query, std::string_view name) {
    auto const read = [](std::string_view item) -> std::optional<std::string> {
        if (item.empty()) return std::nullopt;
        return std::string(item);
    };
    return read_values(query, name, read, {"empty", "is no value."});
}

namespace {

constexpr std::size_t mac_size = 16; // HMAC-SHA-256 truncated to 128 bits (RFC 2104 section 5)

} // namespace

std::string token_signer::sign(std::vector<std::string> const& parts) const {
    std::string payload;
    for (auto const& part : parts) payload += std::to_string(part.size()) + ':' + part;
    auto const mac = hmac_sha256(secret_, payload);
    return to_base64url(std::string(bytes_of(mac).substr(0, mac_size)) + payload);
}

std::optional<std::vector<std::string>> token_signer::verify(std::string_view token) const {
    auto const bytes = from_base64url(token);
    if (!bytes || bytes->size() < mac_size) return std::nullopt;
    std::string_view payload(*bytes);
    auto const given = payload.substr(0, mac_size);
    payload.remove_prefix(mac_size);
    auto const signed_with = [&](std::string const& secret) {
        auto const mac = hmac_sha256(secret, payload);
        return equal_constant_time(given, bytes_of(mac).substr(0, mac_size));
    };
    if (!signed_with(secret_) && (previous_.empty() || !signed_with(previous_))) return std::nullopt;
    std::vector<std::string> parts;
    while (!payload.empty()) {
        auto const colon = payload.find(':');
        auto const size = parse_number<std::size_t>(payload.substr(0, colon));
        if (colon == std::string_view::npos || !size || payload.size() - colon - 1 < *size) return std::nullopt;
        parts.emplace_back(payload.substr(colon + 1, *size));
        payload.remove_prefix(colon + 1 + *size);
    }
    return parts;
}

} // namespace recruiting::http
