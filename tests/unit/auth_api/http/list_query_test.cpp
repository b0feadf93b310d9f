// Pages of lists (proto-docs/lists.md): what a request's parameters make of the statement, and which are refused.
#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/routes.hpp"
#include "support/catch.hpp"

namespace list_query_test {
using namespace recruiting;
using namespace recruiting::auth_api;

namespace {

http::token_signer const signer("a secret of thirty-two bytes or so");

result<prepared_read> bind_path(std::string const& path, std::string const& query) {
    auto const match = find_route("GET", path);
    REQUIRE(match.found != nullptr);
    http::query_reader reader(query);
    bind_input in{match.params, reader, signer};
    return match.found->action.read(in);
}

std::vector<std::string> reasons(std::string const& path, std::string const& query) {
    auto const bound = bind_path(path, query);
    std::vector<std::string> out;
    if (bound) return out;
    for (auto const& detail : bound.error().details) out.push_back(detail.field + ":" + detail.reason);
    return out;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("every problem of a query is told at once", "[auth_api][list][400]") {
    REQUIRE(reasons("/api/v1/jobs", "limit=0&sort=salary&createdAfter=yesterday&staus=open&status=new&published=yes") ==
            texts{"limit:out_of_range", "sort:unknown_value", "createdAfter:invalid", "status:unknown_value",
                  "published:unknown_value", "staus:unknown"});
    REQUIRE(reasons("/api/v1/jobs", "limit=10&limit=20") == texts{"limit:repeated"});
    REQUIRE(reasons("/api/v1/jobs", "q=%ff&limit=1e3") == texts{"q:bad_encoding", "limit:wrong_type", "q:empty"});
    REQUIRE(reasons("/api/v1/pipeline", "") == texts{"jobId:missing"});
    REQUIRE(reasons("/api/v1/me", "x=1") == texts{"x:unknown"});
}

TEST_CASE("limit goes from 1 to 200", "[auth_api][list]") {
    REQUIRE(bind_path("/api/v1/jobs", "limit=1").has_value());
    REQUIRE(bind_path("/api/v1/jobs", "limit=200").has_value());
    REQUIRE(reasons("/api/v1/jobs", "limit=201") == texts{"limit:out_of_range"});
    REQUIRE(reasons("/api/v1/jobs", "limit=-1") == texts{"limit:out_of_range"});
}

TEST_CASE("a cursor goes with its list, sort and filters, and its bytes", "[auth_api][list][400]") {
    auto const forged = signer.sign({"c1", "0000000000000000", "2026-01-01T00:00:00.000000Z", std::string(32, '0')});
    REQUIRE(reasons("/api/v1/jobs", "cursor=" + forged) == texts{"cursor:cursor_mismatch"});
    REQUIRE(reasons("/api/v1/jobs", "cursor=AAAA") == texts{"cursor:bad_cursor"});
    REQUIRE(reasons("/api/v1/jobs", "cursor=" + http::token_signer("another").sign({"c1", "", "", ""})) ==
            texts{"cursor:bad_cursor"});
}

TEST_CASE("cursors of earlier versions are still accepted", "[auth_api][list]") {
    std::string const one = "00000005000070008000000000000001";
    auto const accepts = [&](std::string const& path, std::string const& query, std::string const& fingerprint) {
        auto const cursor = signer.sign({"c1", fingerprint, "m", one});
        return reasons("/api/v1" + path, query + "&cursor=" + cursor).empty();
    };
    REQUIRE(accepts("/jobs", "", "8637ea97be8df73e"));
    REQUIRE_FALSE(accepts("/jobs", "", "8637ea97be8df73f"));
    REQUIRE(accepts("/jobs", "status=open,closed&sort=-title", "770fa0824337d7fb"));
    REQUIRE(accepts("/jobs/" + one + "/candidates", "tag=t", "f8c355ea3051cb8f"));
    REQUIRE(accepts("/audit", "action=key.created", "21ba752d1187662d"));
    REQUIRE(accepts("/candidates", "q=a%20b&jobId=" + one + ",00000005000070008000000000000002", "028f0478343b556c"));
}

TEST_CASE("several values are one filter in any order, and one of fewer values is another",
          "[auth_api][list][values]") {
    auto const cursor_for = [](std::string const& query) { // what the list would give for that filter
        for (auto const& detail : bind_path("/api/v1/jobs", query + "&cursor=x").error().details)
            REQUIRE(detail.reason == "bad_cursor");
        return bind_path("/api/v1/jobs", query).value().statements[0];
    };
    auto const one = cursor_for("status=open,on_hold");
    auto const other = cursor_for("status=on_hold,open,open");
    REQUIRE(one.sql == other.sql);
    REQUIRE(one.params.values()[0].text == other.params.values()[0].text);
    REQUIRE(one.sql.find("ANY ($1::text[])") != std::string::npos);
    REQUIRE(cursor_for("status=open").sql.find("j.status = $1") != std::string::npos);
}

TEST_CASE("each of several values is checked", "[auth_api][list][values][400]") {
    REQUIRE(reasons("/api/v1/jobs", "status=open,opne") == texts{"status:unknown_value"});
    REQUIRE(reasons("/api/v1/members", "role=admin,chief&status=active,") ==
            texts{"role:unknown_value", "status:unknown_value"});
    REQUIRE(reasons("/api/v1/candidates", "jobId=1,2&stageId=x&status=active,open") ==
            texts{"jobId:invalid", "stageId:invalid", "status:unknown_value"});
    REQUIRE(reasons("/api/v1/audit", "statusCode=200,999&credentialId=x,y&action=,") ==
            texts{"credentialId:invalid", "action:unknown_value", "statusCode:out_of_range"});
    REQUIRE(reasons("/api/v1/audit", "action=key.created,nope&order=up") ==
            texts{"action:unknown_value", "order:unknown_value"});
    REQUIRE(reasons("/api/v1/candidates", "include=everything") == texts{"include:unknown_value"});
    REQUIRE(reasons("/api/v1/agent/sessions", "status=completed,done") == texts{"status:unknown_value"});
    REQUIRE(reasons("/api/v1/jobs", "status=open&status=closed") == texts{"status:repeated"});
}

TEST_CASE("a sync takes neither cursor, sort nor filters", "[auth_api][list][400]") {
    REQUIRE(bind_path("/api/v1/jobs", "syncToken=").has_value());
    REQUIRE(reasons("/api/v1/jobs", "syncToken=&cursor=x&sort=title") ==
            texts{"cursor:not_with_sync_token", "sort:not_with_sync_token"});
    REQUIRE(reasons("/api/v1/jobs", "syncToken=&status=open") == texts{"syncToken:not_with_filters"});
    REQUIRE(reasons("/api/v1/audit", "syncToken=") == texts{"syncToken:unknown"});
}

TEST_CASE("paths are matched segment by segment, still encoded", "[auth_api][routes]") {
    REQUIRE(find_route("GET", "/api/v1/jobs/1").found != nullptr);
    REQUIRE(find_route("HEAD", "/api/v1/jobs").found != nullptr);
    REQUIRE(find_route("GET", "/api/v1/jobs/1%2Fcandidates").params.values[0] == "1/candidates");
    for (auto const* path : {"/api/v1", "/api/v1/", "/api/v1/jobs/", "/api/v1//jobs", "/api/v1/jobs/%zz", "/jobs"})
        REQUIRE(find_route("GET", path).found == nullptr);
    auto const wrong = find_route("POST", "/api/v1/jobs");
    REQUIRE(wrong.found == nullptr);
    REQUIRE(wrong.allow == "GET, HEAD");
}

} // namespace list_query_test
