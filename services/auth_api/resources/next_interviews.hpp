// nextInterview of applications: the earliest confirmed interview that is not over.
#pragma once
#include "auth/principal.hpp"
#include "http/json_writer.hpp"
#include "pg/rows.hpp"

#include <map>

namespace recruiting::auth_api {

/// Writes the member "nextInterview" from the columns booking, startsAt, endsAt, stage, interviewer's member and name.
void write_next_interview(http::json_writer& json, pg::rows const& rows, int row, int first, bool names);

class next_interviews {
public:
    /// rows of interviews_store, which outlive this.
    next_interviews(pg::rows const& rows, auth::principal const& who);
    /// Writes the member "nextInterview".
    void write(http::json_writer& json, uuid const& application) const;

private:
    pg::rows const& rows_;
    std::map<uuid, int> first_; // application → row
    bool names_;
};

} // namespace recruiting::auth_api
