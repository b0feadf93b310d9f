#include "recruitctl/import/record.hpp"

namespace recruiting::recruitctl {

std::vector<std::string> const& csv_columns(import_kind kind) {
    static std::vector<std::string> const jobs{"externalId",
                                               "title",
                                               "status",
                                               "requisitionId",
                                               "department",
                                               "location.name",
                                               "location.city",
                                               "location.region",
                                               "location.countryCode",
                                               "workplaceType",
                                               "employmentType",
                                               "openings",
                                               "salary.min",
                                               "salary.max",
                                               "salary.currency",
                                               "salary.period",
                                               "salaryPublished",
                                               "published",
                                               "publishedAt",
                                               "closesAt",
                                               "openedAt",
                                               "closedAt",
                                               "descriptionHtml",
                                               "descriptionText",
                                               "stages",
                                               "hiringTeam",
                                               "createdAt",
                                               "updatedAt",
                                               "deletedAt",
                                               "deleted",
                                               "id",
                                               "publicUrl",
                                               "candidateCount"};
    static std::vector<std::string> const candidates{"externalId",
                                                     "name",
                                                     "email",
                                                     "phone",
                                                     "currentTitle",
                                                     "currentCompany",
                                                     "location.name",
                                                     "location.city",
                                                     "location.region",
                                                     "location.countryCode",
                                                     "links",
                                                     "source",
                                                     "tags",
                                                     "lastActivityAt",
                                                     "createdAt",
                                                     "updatedAt",
                                                     "deletedAt",
                                                     "deleted",
                                                     "id"};
    static std::vector<std::string> const applications{
        "externalId", "candidateExternalId", "jobExternalId", "stageName", "status",          "source",
        "appliedAt",  "stageEnteredAt",      "rejectedAt",    "hiredAt",   "rejectionReason", "createdAt",
        "updatedAt",  "deletedAt",           "deleted",       "id",        "candidateId",     "jobId",
        "stageId"};
    switch (kind) {
    case import_kind::jobs: return jobs;
    case import_kind::candidates: return candidates;
    case import_kind::applications: break;
    }
    return applications;
}

} // namespace recruiting::recruitctl
