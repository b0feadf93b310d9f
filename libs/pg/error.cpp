#include "pg/error.hpp"

#include <libpq-fe.h>

namespace recruiting::pg {

std::string error_field(pg_result const* result, int code) {
    char const* const text = PQresultErrorField(result, code);
    return text == nullptr ? "" : text;
}

query_error error_of(pg_result const* result) {
    return {error_field(result, PG_DIAG_SQLSTATE), error_field(result, PG_DIAG_MESSAGE_PRIMARY),
            error_field(result, PG_DIAG_CONSTRAINT_NAME)};
}

bool ends_connection(pg_result const* result) {
    auto const state = error_field(result, PG_DIAG_SQLSTATE);
    return state.starts_with("57P") || state == "25006" || state.empty();
}

} // namespace recruiting::pg
