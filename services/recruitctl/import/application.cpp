// An application's record as a row (design: Records, application). It names its candidate and its job by the keys of
// the system they come from; the store finds their ids.
#include "recruitctl/import/fields.hpp"

namespace recruiting::recruitctl {
namespace {

void map_application(field_mapper& from) {
    if (from.gives("candidateExternalId")) from.required_key("candidateExternalId", "candidate_external_id");
    if (from.gives("jobExternalId")) from.required_key("jobExternalId", "job_external_id");
    // Without a stage an application is at the job's first one.
    if (from.has_value("stageName")) from.required_text("stageName", "stage_name", 120);
    from.one_of("status", "status", {"active", "hired", "rejected", "withdrawn"}, "active");
    from.text("source", "source");
    from.time("appliedAt", "applied_at", false);
    from.time("stageEnteredAt", "stage_entered_at", false);
    from.time("rejectedAt", "rejected_at");
    from.time("hiredAt", "hired_at");
    from.text("rejectionReason", "rejection_reason", 1000);
    from.ignore({"id", "candidateId", "jobId", "stageId", "stageName", "candidateExternalId", "jobExternalId"});
}

} // namespace

import_row to_application_row(record const& from) { return map_record(from, map_application); }

} // namespace recruiting::recruitctl
