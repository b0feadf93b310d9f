// A job's salary: amounts that are exact, and one salary or none.
#include "core/text.hpp"
#include "recruitctl/import/fields.hpp"
#include "words/codes.hpp"

#include <algorithm>
#include <charconv>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

std::string digits_of(json::value const& amount) {
    if (amount.is_string()) return std::string(trim(std::string_view(amount.get_string())));
    if (amount.is_int64()) return std::to_string(amount.get_int64());
    // The shortest text that reads as this number is what was written: amounts have fewer digits than a double keeps.
    char text[64];
    if (!amount.is_double() || !(amount.get_double() >= 0 && amount.get_double() <= double(highest_amount))) return {};
    auto const end = std::to_chars(text, text + sizeof text, amount.get_double(), std::chars_format::fixed).ptr;
    return {text, end};
}

void write_amount(field_mapper& part, std::string_view name, std::string_view column,
                  std::optional<std::int64_t> amount, std::optional<std::int64_t> other) {
    if (!part.has(name) && !part.is_whole()) return;
    // 0 with nothing above it says that there is none.
    bool const is_none = !amount || (*amount == 0 && other.value_or(0) == 0);
    part.open_column(column) += is_none ? "null" : amount_text(*amount);
}

// Is there a salary?
bool map_parts(field_mapper part) {
    auto const begin = part.columns().size();
    auto const currency = part.currency("currency", "salary_currency");
    part.one_of("period", "salary_period", {"year", "month", "week", "day", "hour"});
    auto const read = [&](std::string_view name) -> std::optional<std::int64_t> {
        auto const* value = part.take(name);
        if (value == nullptr || value->is_null()) return std::nullopt;
        int decimals = part.has_value("currency") ? amount_decimals : 0;
        if (currency) decimals = std::min(decimals, currency_decimals(*currency).value_or(0));
        auto const amount = read_amount(*value, decimals);
        if (!amount)
            part.refuse(name, "invalid_number",
                        "must be an amount from 0 to 1,000,000,000,000 with at most " + std::to_string(decimals) +
                            (decimals > 0 || currency ? " decimals" : " decimals if no currency is given with it"));
        return amount;
    };
    auto const least = read("min");
    auto const most = read("max");
    part.refuse_unknown();
    if (least && most && *least > *most) part.refuse("max", "invalid_number", "must not be below min");
    bool const is_given = least.value_or(0) > 0 || most.value_or(0) > 0;
    if (!is_given && (part.is_whole() || (part.has("min") && part.has("max")))) {
        part.columns().resize(begin);
        for (char const* column : {"salary_min", "salary_max", "salary_currency", "salary_period"})
            part.open_column(column) += "null";
        return false;
    }
    write_amount(part, "min", "salary_min", least, most);
    write_amount(part, "max", "salary_max", most, least);
    for (char const* name : {"currency", "period"})
        if (is_given && !part.has_value(name) && (part.is_whole() || part.has(name)))
            part.refuse(name, "required", "is required with min or max");
    return true;
}

} // namespace

std::optional<std::int64_t> read_amount(json::value const& amount, int decimals) {
    auto const text = digits_of(amount);
    auto const point = std::min(text.find('.'), text.size());
    auto const fraction = std::string_view(text).substr(std::min(point + 1, text.size()));
    if (fraction.size() > static_cast<std::size_t>(decimals) || (fraction.empty() && point < text.size())) return {};
    auto const padded = text.substr(0, point) + std::string(fraction) + std::string(3 - fraction.size(), '0');
    if (point == 0 || padded.find_first_not_of("0123456789") != padded.npos) return {};
    auto const thousandths = parse_number<std::int64_t>(padded);
    return thousandths && *thousandths <= highest_amount * 1000 ? thousandths : std::nullopt;
}

std::string amount_text(std::int64_t thousandths) {
    auto text = std::to_string(thousandths / 1000);
    auto fraction = std::to_string(1000 + thousandths % 1000).replace(0, 1, ".");
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return fraction == "." ? text : text + fraction;
}

void map_salary(field_mapper& from) {
    auto const* salary = from.take("salary");
    bool is_salary = true;
    if (salary != nullptr) {
        auto const columns = from.columns().size();
        auto const reports = from.reports();
        if (salary->is_object() || salary->is_null()) is_salary = map_parts(from.nested("salary", *salary));
        else from.refuse("salary", "wrong_type", "must be an object of min, max, currency and period, or null");
        if (from.reports() > reports) {
            from.columns().resize(columns);
            for (char const* column : {"salary_min", "salary_max", "salary_currency", "salary_period"})
                from.leave_out(column);
            is_salary = false;
        }
    }
    // A board's posting without a salary publishes none.
    if (is_salary || !from.of().complete) from.boolean("salaryPublished", "salary_published", false);
    else from.open_column("salary_published") += "false";
    from.ignore({"salaryPublished"});
}

} // namespace recruiting::recruitctl
