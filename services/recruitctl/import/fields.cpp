#include "recruitctl/import/fields.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

bool has_control_character(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
    });
}

// A whole number that its JSON has as an integer, or as 123.0; of other numbers the digits are lost.
std::optional<std::int64_t> whole_number(json::value const& value) {
    if (value.is_int64()) return value.get_int64();
    if (!value.is_double()) return std::nullopt;
    constexpr double exact = 9'007'199'254'740'992; // 2^53
    auto const number = value.get_double();
    if (std::abs(number) >= exact || number != std::trunc(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::string list_of(std::initializer_list<std::string_view> names) {
    std::string out;
    for (auto const name : names) out.append(out.empty() ? "" : ", ").append(name);
    return out;
}

} // namespace

bool must_be_read(std::string_view field) noexcept {
    auto const first = field.substr(0, field.find_first_of(".["));
    constexpr std::array<std::string_view, 12> names{"externalId",    "title",     "name",   "candidateExternalId",
                                                     "jobExternalId", "stageName", "status", "published",
                                                     "deleted",       "deletedAt", "stages", "hiringTeam"};
    return std::find(names.begin(), names.end(), first) != names.end();
}

field_mapper::field_mapper(json::object const& fields, mapping const& of, std::string& columns, std::string path,
                           bool whole)
    : fields_(fields), of_(of), columns_(columns), path_(std::move(path)), whole_(whole) {}

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
          (of_.textual && deleted->is_string() &&
           (deleted->get_string() == "1" || iequals(std::string_view(deleted->get_string()), "true")))));
    return has(name) && !is_deletion;
}

field_mapper field_mapper::nested(std::string_view name, json::value const& object) {
    static json::object const nothing;
    auto const& fields = object.is_object() ? object.get_object() : nothing;
    return {fields, of_, columns_, path_ + std::string(name) + '.', !of_.textual || object.is_null()};
}

json::value const* field_mapper::take(std::string_view name) {
    known_.insert(name);
    return fields_.if_contains(name);
}

void field_mapper::ignore(std::initializer_list<std::string_view> names) { known_.insert(names.begin(), names.end()); }

void field_mapper::refuse(std::string_view name, std::string reason, std::string message) {
    auto field = path_ + std::string(name);
    auto& into = must_be_read(field) ? of_.problems : of_.warnings;
    into.push_back({std::move(field), std::move(reason), std::move(message)});
}

void field_mapper::leave_out(std::string_view column, std::string_view null) {
    if (whole_ || of_.complete) open_column(column) += null;
}

void field_mapper::refuse_unknown() {
    for (auto const& field : fields_) {
        std::string_view const name(field.key().data(), field.key().size());
        if (known_.contains(name)) continue;
        of_.problems.push_back({path_.empty() ? std::string() : path_.substr(0, path_.size() - 1), "unknown_field",
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
    std::string text;
    if (value.is_string()) text = trim(std::string_view(value.get_string()));
    else if (auto const number = whole_number(value)) text = std::to_string(*number);
    else {
        refuse(name, "wrong_type", "must be a text");
        return std::nullopt;
    }
    if (has_control_character(text)) {
        refuse(name, "control_character", "must not hold control characters");
        return std::nullopt;
    }
    if (count_characters(text) > longest) {
        refuse(name, "too_long", "must have at most " + std::to_string(longest) + " characters");
        return std::nullopt;
    }
    return text;
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
    else leave_out(column);
}

std::optional<std::string> field_mapper::required_text(std::string_view name, std::string_view column,
                                                       std::size_t longest) {
    auto const* value = take(name);
    if (value == nullptr || value->is_null()) {
        refuse(name, "required", "is required");
        return std::nullopt;
    }
    auto text = checked_text(name, *value, longest);
    if (text && text->empty()) {
        refuse(name, "required", "must not be empty");
        return std::nullopt;
    }
    if (text && !column.empty()) append_json_string(open_column(column), *text);
    return text;
}

void field_mapper::one_of(std::string_view name, std::string_view column,
                          std::initializer_list<std::string_view> allowed, std::optional<std::string_view> when_null,
                          std::string_view (*read)(std::string_view)) {
    auto const null = when_null ? in_quotes(*when_null) : "null";
    auto const* value = value_of(name, column, null);
    if (value == nullptr) return;
    std::string given;
    if (value->is_string()) given = to_lower(trim(std::string_view(value->get_string())));
    std::replace_if(
        given.begin(), given.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
    auto const* found = std::find(allowed.begin(), allowed.end(), given);
    if (found == allowed.end() && read != nullptr) found = std::find(allowed.begin(), allowed.end(), read(given));
    if (found != allowed.end()) return append_json_string(open_column(column), *found);
    refuse(name, "invalid_value", "must be one of " + list_of(allowed));
    leave_out(column, null);
}

std::optional<std::int64_t> field_mapper::integer(std::string_view name, std::string_view column, std::int64_t least,
                                                  std::int64_t most, std::optional<std::int64_t> when_null) {
    auto const null = when_null ? std::to_string(*when_null) : "null";
    auto const* value = value_of(name, column, null);
    if (value == nullptr) return std::nullopt;
    auto number = whole_number(*value);
    if (of_.textual && value->is_string())
        number = parse_number<std::int64_t>(trim(std::string_view(value->get_string())));
    if (!number || *number < least || *number > most) {
        refuse(name, "invalid_number",
               "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        leave_out(column, null);
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
    else if (of_.textual && value->is_string()) {
        auto const text = trim(std::string_view(value->get_string()));
        if (iequals(text, "true") || text == "1") flag = true;
        if (iequals(text, "false") || text == "0") flag = false;
    }
    if (!flag && !value->is_null()) {
        refuse(name, "wrong_type", "must be true or false");
        if (!column.empty() && when_null) leave_out(column, *when_null ? "true" : "false");
    }
    if (flag && !column.empty()) open_column(column) += *flag ? "true" : "false";
    return flag;
}

} // namespace recruiting::recruitctl
