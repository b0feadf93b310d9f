// What the row of a candidate or a job says, as the JSON that its prepared record must be: formed here, column by
// column.
#pragma once
#include "core/time.hpp"
#include "pg/rows.hpp"

#include <boost/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace prepared_records_test {
using namespace recruiting;
namespace json = boost::json;

inline constexpr auto candidate_columns =
    "id, external_id, name, email, phone, current_title, current_company, location_name, location_city, "
    "location_region, location_country_code, links::text, source, array_to_json(tags)::text, last_activity_at, "
    "created_at, updated_at, deleted_at, record";
struct candidate_row {
    enum : int { id, external_id, name, email, phone, title, company, location, links = location + 4, source, tags };
    enum : int { last_activity_at = tags + 1, created_at, updated_at, deleted_at, record };
};
inline constexpr auto job_columns =
    "id, external_id, title, status, requisition_id, department, location_name, location_city, location_region, "
    "location_country_code, workplace_type, employment_type, openings, salary_min::text, salary_max::text, "
    "salary_currency, "
    "salary_period, salary_published, hiring_team, published, published_at, closes_at, opened_at, closed_at, "
    "created_at, updated_at, deleted_at, record";
struct job_row {
    enum : int { id, external_id, title, status, requisition_id, department, location, workplace_type = location + 4 };
    enum : int { employment_type = workplace_type + 1, openings, salary_min, salary_max, salary_currency };
    enum : int { salary_period = salary_currency + 1, salary_published, hiring_team, published, published_at };
    enum : int { closes_at = published_at + 1, opened_at, closed_at, created_at, updated_at, deleted_at, record };
};

// What a row says, member by member, formed without the database's JSON.
class described {
public:
    described(pg::rows const& rows, int row) : rows_(rows), row_(row) {}

    [[nodiscard]] json::value text(int column) const {
        auto const value = rows_[row_].from(column).optional_text();
        return value ? json::value(json::string(*value)) : json::value(nullptr);
    }
    [[nodiscard]] json::value id(int column) const { return json::string(to_string(rows_.id(row_, column))); }
    [[nodiscard]] json::value time(int column) const {
        auto const value = rows_[row_].from(column).optional_time();
        return value ? json::value(json::string(format_time(*value))) : json::value(nullptr);
    }
    [[nodiscard]] json::value number(int column) const {
        auto const value = rows_[row_].from(column).optional_integer();
        return value ? json::value(*value) : json::value(nullptr);
    }
    [[nodiscard]] json::value amount(int column) const { return rows_.is_null(row_, column) ? nullptr : raw(column); }
    [[nodiscard]] json::value flag(int column) const { return rows_.boolean(row_, column); }
    [[nodiscard]] json::value raw(int column) const { return json::parse(std::string(rows_.text(row_, column))); }
    [[nodiscard]] json::value location(int first) const {
        if (text(first).is_null() && text(first + 1).is_null() && text(first + 2).is_null() &&
            text(first + 3).is_null())
            return nullptr;
        return {{"name", text(first)},
                {"city", text(first + 1)},
                {"region", text(first + 2)},
                {"countryCode", text(first + 3)}};
    }

private:
    pg::rows const& rows_;
    int row_;
};

inline json::value candidate_of(pg::rows const& rows, int row) {
    described const of(rows, row);
    using columns = candidate_row;
    if (!rows.is_null(row, columns::deleted_at))
        return {{"id", of.id(columns::id)}, {"deletedAt", of.time(columns::deleted_at)}};
    return {{"id", of.id(columns::id)},
            {"externalId", of.text(columns::external_id)},
            {"name", of.text(columns::name)},
            {"email", of.text(columns::email)},
            {"phone", of.text(columns::phone)},
            {"currentTitle", of.text(columns::title)},
            {"currentCompany", of.text(columns::company)},
            {"location", of.location(columns::location)},
            {"links", of.raw(columns::links)},
            {"source", of.text(columns::source)},
            {"tags", of.raw(columns::tags)},
            {"lastActivityAt", of.time(columns::last_activity_at)},
            {"createdAt", of.time(columns::created_at)},
            {"updatedAt", of.time(columns::updated_at)},
            {"deletedAt", nullptr}};
}

inline json::value salary_of(described const& of) {
    using columns = job_row;
    if (of.amount(columns::salary_min).is_null() && of.amount(columns::salary_max).is_null()) return nullptr;
    return {{"min", of.amount(columns::salary_min)},
            {"max", of.amount(columns::salary_max)},
            {"currency", of.text(columns::salary_currency)},
            {"period", of.text(columns::salary_period)}};
}

inline json::value job_of(pg::rows const& rows, int row) {
    described const of(rows, row);
    using columns = job_row;
    return {{"id", of.id(columns::id)},
            {"externalId", of.text(columns::external_id)},
            {"title", of.text(columns::title)},
            {"status", of.text(columns::status)},
            {"requisitionId", of.text(columns::requisition_id)},
            {"department", of.text(columns::department)},
            {"location", of.location(columns::location)},
            {"workplaceType", of.text(columns::workplace_type)},
            {"employmentType", of.text(columns::employment_type)},
            {"openings", of.number(columns::openings)},
            {"salary", salary_of(of)},
            {"salaryPublished", of.flag(columns::salary_published)},
            {"hiringTeam", of.raw(columns::hiring_team)},
            {"published", of.flag(columns::published)},
            {"publishedAt", of.time(columns::published_at)},
            {"closesAt", of.time(columns::closes_at)},
            {"openedAt", of.time(columns::opened_at)},
            {"closedAt", of.time(columns::closed_at)},
            {"createdAt", of.time(columns::created_at)},
            {"updatedAt", of.time(columns::updated_at)},
            {"deletedAt", of.time(columns::deleted_at)}};
}

inline json::value record_of(pg::rows const& rows, int row, int column) {
    return json::parse("{" + std::string(rows.text(row, column)) + "}");
}

// Values that JSON escapes, that parsers and SQL mistake for others, or that end somewhere odd; NULL now and then.
class odd_values {
public:
    explicit odd_values(unsigned seed) : random_(seed) {}

    std::optional<std::string> maybe_text() {
        if (below(4) == 0) return std::nullopt;
        return text();
    }
    std::string text() {
        static std::vector<std::string> const pieces = {"\"",
                                                        "\\",
                                                        "\\u0041",
                                                        "\n",
                                                        "\r\n",
                                                        "\t",
                                                        "\b",
                                                        "\f",
                                                        "\x01",
                                                        "\x1f",
                                                        "\x7f",
                                                        "/",
                                                        "</script>",
                                                        "&<>'",
                                                        "é",
                                                        "😀",
                                                        "\xe2\x80\xa8",
                                                        "\xe2\x80\xa9",
                                                        "\xef\xbf\xbf",
                                                        "\xf4\x8f\xbf\xbf",
                                                        "null",
                                                        "{",
                                                        "}",
                                                        "]",
                                                        ",",
                                                        ":",
                                                        "%s",
                                                        "$1",
                                                        "''",
                                                        " ",
                                                        "a",
                                                        "Ω",
                                                        "e\xcc\x81"};
        std::string out;
        for (auto left = 1 + below(6); left > 0; --left) out += pieces[below(pieces.size())];
        return out;
    }
    std::optional<std::string> maybe_time() {
        static std::vector<std::string> const times = {
            "2026-01-31 09:30:00+00",        "2026-01-31 09:30:00.123999+00", "2026-01-31 09:30:00.9999995+00",
            "2026-01-31 09:30:00.000001+00", "1969-12-31 23:59:59.999999+00", "1999-12-31 23:59:59.9996+00",
            "0001-01-01 00:00:00+00",        "9999-12-31 23:59:59.999999+00", "2024-02-29 23:30:00-11",
            "1883-11-18 12:03:58+00"};
        if (below(4) == 0) return std::nullopt;
        return times[below(times.size())];
    }
    std::string json_array() {
        json::array out;
        for (auto left = below(3); left > 0; --left) out.push_back({{"type", text()}, {"url", text()}});
        return json::serialize(out);
    }
    std::vector<std::string> texts() {
        std::vector<std::string> out(below(3));
        for (auto& one : out) one = text();
        return out;
    }
    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

private:
    std::mt19937 random_;
};

} // namespace prepared_records_test
