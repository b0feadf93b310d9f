// Which reads may wait for others, and which look at hardly more rows than they return: every filter and sort is
// decided.
#include "auth_api/routes.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <set>

namespace read_cost_test {
using namespace recruiting;
using namespace recruiting::auth_api;
namespace json = boost::json;

namespace {

std::string const id = "00000005000070008000000000000001";
std::string const two = id + ",00000005000070008000000000000002";

struct decision {
    std::string path; // {id} as in the document
    std::string query;
    read_cost cost;
    std::string parameter{}; // the one that makes it a search
};

constexpr auto indexed = read_cost::indexed;
constexpr auto search = read_cost::search;
constexpr auto bulk = read_cost::bulk;

std::vector<decision> const decisions = {
    {"/me", "", indexed},
    {"/scopes", "", indexed},
    {"/organization", "", indexed},
    {"/billing", "", bulk}, // counts the period's usage
    {"/jobs/{id}", "", indexed},
    {"/candidates/{id}", "", indexed},
    {"/pipeline", "jobId=" + id, bulk},
    {"/agent/sessions/{id}", "", indexed},
    {"/agent/sessions/{id}", "messagesLimit=10", indexed},
    {"/agent/sessions/{id}", "messagesBefore=" + id, indexed},
    {"/agent/sessions/{id}", "correlationId=" + id, indexed},

    {"/jobs", "", indexed},
    {"/jobs", "limit=200", bulk},
    {"/jobs", "sort=createdAt", indexed},
    {"/jobs", "sort=-createdAt", indexed},
    {"/jobs", "sort=updatedAt", indexed},
    {"/jobs", "sort=-updatedAt", indexed},
    {"/jobs", "sort=title", indexed},
    {"/jobs", "sort=-title", indexed},
    {"/jobs", "include=stages,description", bulk},
    {"/jobs", "createdAfter=2026-01-01T00:00Z", indexed},
    {"/jobs", "createdBefore=2026-01-01T00:00Z", indexed},
    {"/jobs", "updatedAfter=2026-01-01T00:00Z", search, "updatedAfter"},
    {"/jobs", "updatedBefore=2026-01-01T00:00Z", search, "updatedBefore"},
    {"/jobs", "updatedAfter=2026-01-01T00:00Z&sort=updatedAt", indexed},
    {"/jobs", "createdAfter=2026-01-01T00:00Z&sort=title", search, "createdAfter"},
    {"/jobs", "status=open", indexed},
    {"/jobs", "status=open&createdAfter=2026-01-01T00:00Z", indexed},
    {"/jobs", "status=open,closed", search, "status"},
    {"/jobs", "status=open&sort=title", search, "sort"},
    {"/jobs", "department=Sales", indexed},
    {"/jobs", "status=open&department=Sales", search, "department"},
    {"/jobs", "published=true", search, "published"},
    {"/jobs", "q=engineer", search, "q"},
    {"/jobs", "externalId=1", indexed},
    {"/jobs", "externalId=1&sort=title&status=open", indexed},
    {"/jobs", "syncToken=", bulk},

    {"/candidates", "", indexed},
    {"/candidates", "limit=200", bulk},
    {"/candidates", "include=applications", bulk},
    {"/candidates", "sort=createdAt", indexed},
    {"/candidates", "sort=-createdAt", indexed},
    {"/candidates", "sort=updatedAt", search, "sort"}, // for hiring managers
    {"/candidates", "sort=-updatedAt", search, "sort"},
    {"/candidates", "sort=name", search, "sort"},
    {"/candidates", "sort=-name", search, "sort"},
    {"/candidates", "createdAfter=2026-01-01T00:00Z", indexed},
    {"/candidates", "createdBefore=2026-01-01T00:00Z", indexed},
    {"/candidates", "updatedAfter=2026-01-01T00:00Z", search, "updatedAfter"},
    {"/candidates", "updatedBefore=2026-01-01T00:00Z", search, "updatedBefore"},
    {"/candidates", "externalId=1", indexed},
    {"/candidates", "applicationExternalId=1", indexed},
    {"/candidates", "applicationExternalId=1&sort=name", indexed},
    {"/candidates", "externalId=1&tag=x", search, "tag"},
    {"/candidates", "email=a%40b.example", search, "email"}, // so many may have one placeholder
    {"/candidates", "jobId=" + id, search, "jobId"},
    {"/candidates", "stageId=" + id, search, "stageId"},
    {"/candidates", "status=rejected", search, "status"},
    {"/candidates", "status=rejected&tag=x&sort=name", search, "tag"},
    {"/candidates", "source=referral", search, "source"},
    {"/candidates", "tag=x", search, "tag"},
    {"/candidates", "q=ada", search, "q"},
    {"/candidates", "syncToken=", bulk},
    {"/candidates", "syncToken=&include=applications", bulk},

    {"/jobs/{id}/candidates", "", indexed},
    {"/jobs/{id}/candidates", "limit=200", bulk},
    {"/jobs/{id}/candidates", "include=applications", bulk},
    {"/jobs/{id}/candidates", "sort=createdAt", indexed},
    {"/jobs/{id}/candidates", "sort=-createdAt", indexed},
    {"/jobs/{id}/candidates", "sort=updatedAt", search, "sort"},
    {"/jobs/{id}/candidates", "sort=-updatedAt", search, "sort"},
    {"/jobs/{id}/candidates", "sort=name", search, "sort"},
    {"/jobs/{id}/candidates", "sort=-name", search, "sort"},
    {"/jobs/{id}/candidates", "createdAfter=2026-01-01T00:00Z", indexed},
    {"/jobs/{id}/candidates", "createdBefore=2026-01-01T00:00Z", indexed},
    {"/jobs/{id}/candidates", "updatedAfter=2026-01-01T00:00Z", search, "updatedAfter"},
    {"/jobs/{id}/candidates", "updatedBefore=2026-01-01T00:00Z", search, "updatedBefore"},
    {"/jobs/{id}/candidates", "externalId=1", indexed},
    {"/jobs/{id}/candidates", "applicationExternalId=1", indexed},
    {"/jobs/{id}/candidates", "email=a%40b.example", search, "email"},
    {"/jobs/{id}/candidates", "stageId=" + id, search, "stageId"},
    {"/jobs/{id}/candidates", "status=active", search, "status"},
    {"/jobs/{id}/candidates", "source=referral", search, "source"},
    {"/jobs/{id}/candidates", "tag=x", search, "tag"},
    {"/jobs/{id}/candidates", "q=ada", search, "q"},
    {"/jobs/{id}/candidates", "syncToken=", bulk},

    {"/members", "", indexed},
    {"/members", "limit=200", bulk},
    {"/members", "sort=createdAt", indexed},
    {"/members", "sort=-createdAt", indexed},
    {"/members", "sort=updatedAt", indexed},
    {"/members", "sort=-updatedAt", indexed},
    {"/members", "sort=name", search, "sort"},
    {"/members", "sort=-name", search, "sort"},
    {"/members", "createdAfter=2026-01-01T00:00Z", indexed},
    {"/members", "createdBefore=2026-01-01T00:00Z", indexed},
    {"/members", "updatedAfter=2026-01-01T00:00Z", search, "updatedAfter"},
    {"/members", "updatedBefore=2026-01-01T00:00Z", search, "updatedBefore"},
    {"/members", "role=admin", search, "role"},
    {"/members", "status=removed", search, "status"},
    {"/members", "syncToken=", bulk},

    {"/agent/sessions", "", indexed},
    {"/agent/sessions", "limit=200", bulk},
    {"/agent/sessions", "sort=createdAt", indexed},
    {"/agent/sessions", "sort=-createdAt", indexed},
    {"/agent/sessions", "sort=updatedAt", search, "sort"}, // for those who see their own
    {"/agent/sessions", "sort=-updatedAt", search, "sort"},
    {"/agent/sessions", "sort=title", search, "sort"},
    {"/agent/sessions", "sort=-title", search, "sort"},
    {"/agent/sessions", "createdAfter=2026-01-01T00:00Z", indexed},
    {"/agent/sessions", "createdBefore=2026-01-01T00:00Z", indexed},
    {"/agent/sessions", "updatedAfter=2026-01-01T00:00Z", search, "updatedAfter"},
    {"/agent/sessions", "updatedBefore=2026-01-01T00:00Z", search, "updatedBefore"},
    {"/agent/sessions", "memberId=" + id, indexed},
    {"/agent/sessions", "memberId=" + two, search, "memberId"},
    {"/agent/sessions", "status=failed", search, "status"},

    {"/audit", "", indexed},
    {"/audit", "limit=200", bulk},
    {"/audit", "order=asc", indexed},
    {"/audit", "occurredAfter=2026-01-01T00:00Z", indexed},
    {"/audit", "occurredBefore=2026-01-01T00:00Z", indexed},
    {"/audit", "credentialId=" + id, indexed},
    {"/audit", "credentialId=" + two, search, "credentialId"},
    {"/audit", "credentialId=" + id + "&occurredAfter=2026-01-01T00:00Z", indexed},
    {"/audit", "memberId=" + id + "&occurredAfter=2026-01-01T00:00Z", search, "memberId"},
    {"/audit", "memberId=" + id + "&credentialId=" + id, search, "memberId"},
    {"/audit", "sessionId=" + id, indexed},
    {"/audit", "action=key.revoked", indexed},
    {"/audit", "action=key.revoked,key.created", search, "action"},
    {"/audit", "action=api.request", search, "action"},
    {"/audit", "success=false", indexed},
    {"/audit", "success=true", search, "success"},
    {"/audit", "requestId=0123456789abcdef", search, "requestId"}, // clients choose it: many may be equal
    {"/audit", "endpoint=/api/v1/me", search, "endpoint"},
    {"/audit", "credentialId=" + id + "&endpoint=/api/v1/me", search, "endpoint"},
    {"/audit", "statusCode=404", search, "statusCode"},
    {"/audit", "ipAddress=192.0.2.1", search, "ipAddress"},
};

http::token_signer const cost_signer("a secret of thirty-two bytes or so");

result<prepared_read> bind_decision(decision const& asked, std::string const& accept = {}) {
    auto path = std::string(base_path) + asked.path;
    if (auto const at = path.find("{id}"); at != std::string::npos) path.replace(at, 4, id);
    auto const match = find_route("GET", path);
    REQUIRE(match.found != nullptr);
    http::query_reader query(asked.query);
    bind_input in{match.params, query, cost_signer, accept};
    return match.found->action.read(in);
}

bool is_decided(std::string const& path, std::string const& name, std::string const& value = {}) {
    auto const wanted = name + "=" + value;
    for (auto const& one : decisions)
        if (one.path == path &&
            ("&" + one.query + "&").find("&" + wanted + (value.empty() ? "" : "&")) != std::string::npos)
            return true;
    return false;
}

} // namespace

TEST_CASE("each read sets its cost, and names the parameter that makes it a search", "[auth_api][list][cost]") {
    for (auto const& one : decisions) {
        INFO(one.path << "?" << one.query);
        auto const bound = bind_decision(one);
        REQUIRE(bound.has_value());
        CHECK(bound->cost == one.cost);
        CHECK(bound->costly_parameter == one.parameter);
        bool const shows_members = one.path == "/members" || one.path == "/agent/sessions";
        CHECK(bound->may_be_behind == (one.cost == search && !shows_members)); // never syncs
    }
}

TEST_CASE("an export is bulk, whatever it filters by, and may be a standby's", "[auth_api][audit][cost]") {
    for (auto const* type : {"text/csv", "application/x-ndjson"})
        for (auto const* query : {"", "endpoint=/api/v1/me", "success=false"}) {
            auto const bound = bind_decision({"/audit", query, bulk}, type);
            CHECK(bound->cost == bulk);
            CHECK(bound->may_be_behind);
        }
}

TEST_CASE("every documented filter and sort has its cost decided here", "[auth_api][list][cost]") {
    auto const document = json::parse(openapi_document());
    std::set<std::string> paths;
    for (auto const& one : decisions) paths.insert(one.path);
    for (auto const& [path, item] : document.at("paths").as_object()) {
        auto const* const get = item.as_object().if_contains("get");
        if (get == nullptr || path == "/openapi.json") continue;
        INFO(path);
        CHECK(paths.contains(std::string(path)));
        auto const* const parameters = get->as_object().if_contains("parameters");
        if (parameters == nullptr) continue;
        for (auto const& given : parameters->as_array()) {
            auto const* const reference = given.as_object().if_contains("$ref");
            auto const shared = reference == nullptr ? std::string() : std::string(reference->as_string()).substr(24);
            auto const& what = shared.empty() ? given : document.at("components").at("parameters").at(shared);
            std::string const name(what.at("name").as_string());
            if (what.at("in").as_string() != "query" || name == "cursor") continue; // a cursor is a position
            INFO(name);
            CHECK(is_decided(std::string(path), name));
            if (name != "sort") continue;
            for (auto const& order : what.at("schema").at("enum").as_array())
                CHECK(is_decided(std::string(path), name, std::string(order.as_string())));
        }
    }
}

} // namespace read_cost_test
