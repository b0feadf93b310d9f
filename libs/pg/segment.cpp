#include "pg/segment.hpp"

#include "pg/connect.hpp"

#include <algorithm>
#include <libpq-fe.h>

namespace recruiting::pg {

prepared_statements::slot prepared_statements::find(statement const& what) {
    if (auto const known = by_text_.find({what.composed, what.sql}); known != by_text_.end()) {
        auto& found = *known->second;
        if (!found.parsed && found.segment != segment_) return {};
        used_.splice(used_.begin(), used_, known->second);
        found.segment = segment_;
        return {.name = found.name};
    }
    slot made;
    if (!make_room(what.composed, made.replaced)) return made;
    made.name = "s" + std::to_string(++next_name_);
    made.is_new = true;
    used_.push_front({what.composed, what.sql, made.name, segment_});
    by_text_.emplace(key{what.composed, used_.front().text}, used_.begin());
    if (what.composed) ++composed_;
    return made;
}

// False: there is no slot for the statement now.
bool prepared_statements::make_room(bool is_composed, std::string& replaced) {
    if (!is_composed) return by_text_.size() - composed_ < most_.fixed;
    if (composed_ < most_.composed) return true;
    auto const oldest = std::find_if(used_.rbegin(), used_.rend(), [&](entry const& one) {
        return one.is_composed && one.parsed && one.segment != segment_;
    });
    if (oldest == used_.rend()) return false;
    replaced = oldest->name;
    erase(std::prev(oldest.base()));
    return true;
}

prepared_statements::entries::iterator prepared_statements::find_name(std::string_view name) {
    return std::find_if(used_.begin(), used_.end(), [&](entry const& one) { return one.name == name; });
}

void prepared_statements::parsed(std::string_view name) {
    if (auto const which = find_name(name); which != used_.end()) which->parsed = true;
}

void prepared_statements::failed(std::string_view name) {
    if (auto const which = find_name(name); which != used_.end()) erase(which);
}

void prepared_statements::erase(entries::iterator which) {
    if (which->is_composed) --composed_;
    by_text_.erase({which->is_composed, which->text});
    used_.erase(which);
}

void prepared_statements::clear() {
    by_text_.clear();
    used_.clear();
    composed_ = 0;
}

namespace {

using expected = segment_in_flight::expected;

bool send_unprepared(PGconn* connection, std::string const& sql, bound_values const& values) {
    return PQsendQueryParams(connection, sql.c_str(), values.count(), nullptr, values.texts.data(),
                             values.lengths.data(), values.formats.data(), 1) == 1;
}

bool send_statement(PGconn* connection, statement const& what, prepared_statements::slot const& at,
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
                  segment_in_flight& segment) {
    std::vector<prepared_statements::slot> slots;
    slots.reserve(statements.size());
    prepared.begin_segment();
    for (auto const& what : statements) slots.push_back(prepared.find(what));
    // DEALLOCATE comes first of all, for what follows a failing statement is not executed.
    for (auto const& slot : slots) {
        if (slot.replaced.empty()) continue;
        segment.owed.push_back({expected::of::deallocate});
        if (!send_unprepared(connection, "DEALLOCATE " + slot.replaced, bound_values({}))) return false;
    }
    for (std::size_t i = 0; i < statements.size(); ++i)
        if (!send_statement(connection, statements[i], slots[i], segment)) return false;
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection) == 1; // flushed once per run of the loop instead of once a segment
#else
    return PQpipelineSync(connection) == 1;
#endif
}

bool take_result(PGresult* result, prepared_statements& prepared, segment_in_flight& segment) {
    rows owned(result);
    auto const status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) return true;
    // An error can also follow the last statement, at the commit.
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
