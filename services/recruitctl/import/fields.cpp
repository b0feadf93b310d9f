#include "recruitctl/import/fields.hpp"

#include "core/text.hpp"
#include "core/time.hpp"
#include "directory/rules.hpp"
#include "mail/address.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

bool has_control_character(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
    });
}

std::string list_of(std::initializer_list<std::string_view> names) {
    std::string out;
    for (auto const name : names) out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

} // namespace

field_mapper::field_mapper(json::object const& fields, bool textual, std::string& columns,
                           std::vector<problem>& problems, std::string path, bool whole)
    : fields_(fields), textual_(textual), columns_(columns), problems_(problems), path_(std::move(path)),
      whole_(whole) {}

bool field_mapper::has(std::string_view name) const { return fields_.contains(name); }

bool field_mapper::has_value(std::string_view name) const {
    auto const* value = fields_.if_contains(name);
    return value != nullptr && !value->is_null();
}

bool field_mapper::gives(std::string_view name) const {
    if (has_value(name)) return true;
    auto const* deleted = fields_.if_contains("deleted");
    bool const is_deletion =
        has_value("deletedAt") ||
        (deleted != nullptr &&
         ((deleted->is_bool() && deleted->get_bool()) ||
          (textual_ && deleted->is_string() &&
           (deleted->get_string() == "1" || iequals(std::string_view(deleted->get_string()), "true")))));
    return has(name) && !is_deletion;
}

field_mapper field_mapper::nested(std::string_view name, json::value const& object) {
    static json::object const nothing;
    auto const& fields = object.is_object() ? object.get_object() : nothing;
    return {fields, textual_, columns_, problems_, path_ + std::string(name) + '.', !textual_ || object.is_null()};
}

json::value const* field_mapper::take(std::string_view name) {
    known_.insert(name);
    return fields_.if_contains(name);
}

void field_mapper::ignore(std::initializer_list<std::string_view> names) { known_.insert(names.begin(), names.end()); }

void field_mapper::refuse(std::string_view name, std::string reason, std::string message) {
    problems_.push_back({path_ + std::string(name), std::move(reason), std::move(message)});
}

void field_mapper::refuse_unknown() {
    for (auto const& field : fields_) {
        std::string_view const name(field.key().data(), field.key().size());
        if (known_.contains(name)) continue;
        problems_.push_back({path_.empty() ? std::string() : path_.substr(0, path_.size() - 1), "unknown_field",
                             "there is no field " + in_quotes(name.substr(0, 100))});
    }
}

std::string& field_mapper::open_column(std::string_view column) {
    if (!columns_.empty()) columns_ += ',';
    columns_ += '"';
    columns_ += column;
    columns_ += "\":";
    return columns_;
}

json::value const* field_mapper::value_of(std::string_view name, std::string_view column, std::string_view when_null) {
    auto const* value = take(name);
    if (value == nullptr ? !whole_ : !value->is_null()) return value;
    open_column(column) += when_null;
    return nullptr;
}

std::optional<std::string> field_mapper::checked_text(std::string_view name, json::value const& value,
                                                      std::size_t longest) {
    if (!value.is_string()) {
        refuse(name, "wrong_type", "must be a text");
        return std::nullopt;
    }
    std::string_view const text(value.get_string().data(), value.get_string().size());
    if (has_control_character(text)) {
        refuse(name, "control_character", "must not hold control characters");
        return std::nullopt;
    }
    if (count_characters(text) > longest) {
        refuse(name, "too_long", "must have at most " + std::to_string(longest) + " characters");
        return std::nullopt;
    }
    return std::string(text);
}

std::optional<std::string> field_mapper::plain_text(std::string_view name, std::size_t longest) {
    auto const* value = take(name);
    if (value == nullptr || value->is_null()) return std::nullopt;
    return checked_text(name, *value, longest);
}

void field_mapper::text(std::string_view name, std::string_view column, std::size_t longest) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return;
    if (auto const text = checked_text(name, *value, longest)) append_json_string(open_column(column), *text);
}

std::optional<std::string> field_mapper::required(std::string_view name, std::string_view column, std::size_t longest,
                                                  bool key) {
    auto const* value = take(name);
    if (value == nullptr || value->is_null()) {
        refuse(name, "required", "is required");
        return std::nullopt;
    }
    std::optional<std::string> text;
    if (key && value->is_int64()) text = std::to_string(value->get_int64());
    else text = checked_text(name, *value, longest);
    if (text && trim(*text).empty()) {
        refuse(name, "required", "must not be empty");
        return std::nullopt;
    }
    if (text && !column.empty()) append_json_string(open_column(column), *text);
    return text;
}

std::optional<std::string> field_mapper::required_text(std::string_view name, std::string_view column,
                                                       std::size_t longest) {
    return required(name, column, longest, false);
}

std::optional<std::string> field_mapper::required_key(std::string_view name, std::string_view column) {
    return required(name, column, short_text, true);
}

void field_mapper::email(std::string_view name, std::string_view column) {
    auto const key_column = std::string(column) + "_key";
    auto const* value = value_of(name, column);
    if (value_of(name, key_column) == nullptr) return;
    if (!value->is_string()) return refuse(name, "invalid_email", "must be an e-mail address");
    std::string_view const typed = value->get_string();
    if (auto problem = mail::address_problem(typed)) return refuse(name, "invalid_email", std::move(*problem));
    append_json_string(open_column(column), typed);
    append_json_string(open_column(key_column), mail::canonical_address(typed).value());
}

void field_mapper::apply_url(std::string_view name, std::string_view column) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return;
    if (!value->is_string()) return refuse(name, "wrong_type", "must be a text");
    std::string_view const url = value->get_string();
    if (auto wrong = directory::wrong_apply_url(url)) refuse(name, "invalid_url", std::move(*wrong));
    else append_json_string(open_column(column), url);
}

void field_mapper::code(std::string_view name, std::string_view column, std::size_t letters) {
    auto const* value = value_of(name, column);
    if (value == nullptr) return;
    bool const right = value->is_string() && value->get_string().size() == letters &&
                       std::all_of(value->get_string().begin(), value->get_string().end(),
                                   [](char c) { return c >= 'A' && c <= 'Z'; });
    if (right) append_json_string(open_column(column), std::string_view(value->get_string()));
    else refuse(name, "invalid_code", "must be " + std::to_string(letters) + " capital letters");
}

void field_mapper::one_of(std::string_view name, std::string_view column,
                          std::initializer_list<std::string_view> allowed, std::optional<std::string_view> when_null) {
    auto const* value = value_of(name, column, when_null ? in_quotes(*when_null) : "null");
    if (value == nullptr) return;
    bool const right = value->is_string() && std::find(allowed.begin(), allowed.end(),
                                                       std::string_view(value->get_string())) != allowed.end();
    if (right) append_json_string(open_column(column), std::string_view(value->get_string()));
    else refuse(name, "invalid_value", "must be one of " + list_of(allowed));
}

std::optional<std::int64_t> field_mapper::integer(std::string_view name, std::string_view column, std::int64_t least,
                                                  std::int64_t most, std::optional<std::int64_t> when_null) {
    auto const* value = value_of(name, column, when_null ? std::to_string(*when_null) : "null");
    if (value == nullptr) return std::nullopt;
    std::optional<std::int64_t> number;
    if (value->is_int64()) number = value->get_int64();
    else if (textual_ && value->is_string())
        number = parse_number<std::int64_t>(trim(std::string_view(value->get_string())));
    if (!number || *number < least || *number > most) {
        refuse(name, "invalid_number",
               "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        return std::nullopt;
    }
    append_number(open_column(column), *number);
    return number;
}

std::optional<bool> field_mapper::boolean(std::string_view name, std::string_view column,
                                          std::optional<bool> when_null) {
    auto const* value = take(name);
    std::optional<bool> flag;
    if (value == nullptr) return std::nullopt;
    if (value->is_null()) flag = when_null;
    else if (value->is_bool()) flag = value->get_bool();
    else if (textual_ && value->is_string()) {
        auto const text = trim(std::string_view(value->get_string()));
        if (iequals(text, "true") || text == "1") flag = true;
        if (iequals(text, "false") || text == "0") flag = false;
    }
    if (!flag && !value->is_null()) refuse(name, "wrong_type", "must be true or false");
    if (flag && !column.empty()) open_column(column) += *flag ? "true" : "false";
    return flag;
}

void field_mapper::time(std::string_view name, std::string_view column, bool nullable) {
    auto const* value = nullable ? value_of(name, column) : take(name);
    if (value == nullptr || value->is_null()) return;
    std::optional<timestamp> when;
    if (value->is_string()) when = parse_time_with_offset(trim(std::string_view(value->get_string())));
    using namespace std::chrono;
    static constexpr timestamp first{sys_days{year{1900} / 1 / 1}.time_since_epoch()};
    static constexpr timestamp end{sys_days{year{2200} / 1 / 1}.time_since_epoch()};
    if (when && *when >= first && *when < end) append_json_string(open_column(column), format_time_micros(*when));
    else refuse(name, "invalid_time", "must be an RFC 3339 date and time with its offset, from 1900 to 2199");
}

} // namespace recruiting::recruitctl
