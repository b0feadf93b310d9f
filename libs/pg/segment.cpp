#include "pg/segment.hpp"

#include "pg/result_error.hpp"

#include <libpq-fe.h>

namespace recruiting::pg {
namespace {

using expected = segment_in_flight::expected;

// A statement's parameters as libpq takes them.
struct bound_values {
    explicit bound_values(params const& of) {
        auto const& values = of.values();
        texts.reserve(values.size());
        lengths.reserve(values.size());
        formats.reserve(values.size());
        for (auto const& value : values) {
            texts.push_back(value.text ? value.text->c_str() : nullptr);
            lengths.push_back(value.text ? static_cast<int>(value.text->size()) : 0);
            formats.push_back(value.binary ? 1 : 0);
        }
    }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(texts.size()); }

    std::vector<char const*> texts;
    std::vector<int> lengths;
    std::vector<int> formats;
};

bool send_unprepared(PGconn* connection, std::string const& sql, bound_values const& values) {
    return PQsendQueryParams(connection, sql.c_str(), values.count(), nullptr, values.texts.data(),
                             values.lengths.data(), values.formats.data(), 1) == 1;
}

bool send_statement(PGconn* connection, statement const& what, prepared_statements::place const& at,
                    segment_in_flight& segment) {
    bound_values const values(what.params);
    if (at.is_new) {
        segment.owed.push_back({expected::of::parse, at.name});
        if (PQsendPrepare(connection, at.name.c_str(), what.sql.c_str(), 0, nullptr) != 1) return false;
    }
    segment.owed.push_back({});
    if (at.name.empty()) return send_unprepared(connection, what.sql, values);
    return PQsendQueryPrepared(connection, at.name.c_str(), values.count(), values.texts.data(), values.lengths.data(),
                               values.formats.data(), 1) == 1;
}

} // namespace

bool send_segment(PGconn* connection, prepared_statements& prepared, std::vector<statement> const& statements,
                  std::uint64_t owner, segment_in_flight& segment) {
    std::vector<prepared_statements::place> places;
    places.reserve(statements.size());
    prepared.begin_segment();
    for (auto const& what : statements) places.push_back(prepared.find(what, owner));
    // First of all, for what follows a failing statement is not executed.
    for (auto const& place : places) {
        if (place.replaced.empty()) continue;
        segment.owed.push_back({expected::of::deallocate});
        if (!send_unprepared(connection, "DEALLOCATE " + place.replaced, bound_values({}))) return false;
    }
    for (std::size_t i = 0; i < statements.size(); ++i)
        if (!send_statement(connection, statements[i], places[i], segment)) return false;
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection) == 1; // flushed once a turn instead of once a segment
#else
    return PQpipelineSync(connection) == 1;
#endif
}

bool take_result(PGresult* result, prepared_statements& prepared, segment_in_flight& segment) {
    rows owned(result);
    auto const status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) return true;
    // Also past the last statement: at its commit.
    if (status == PGRES_FATAL_ERROR) segment.error = std::make_exception_ptr(error_of(result));
    if (segment.owed.empty()) return false;
    auto const next = std::move(segment.owed.front());
    segment.owed.pop_front();
    bool const succeeded = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    if (next.what == expected::of::parse) {
        if (succeeded) prepared.parsed(next.name);
        else prepared.failed(next.name);
    } else if (succeeded && next.what == expected::of::statement) {
        segment.results.push_back(std::move(owned));
    }
    return false;
}

} // namespace recruiting::pg
