#include "integration/auth_api/sync_copies.hpp"

#include "http/query.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

namespace recruiting::test {
namespace json = boost::json;

namespace {

bool out_of_reach(http_answer const& answer) { return answer.status == 404 || answer.status == 403; }

bool must_start_over(http_answer const& answer) {
    if (answer.status != 400) return false;
    return json::parse(answer.body).at("error").at("details").at(0).at("reason") == "sync_token_expired";
}

} // namespace

http_answer sync_copy::get(std::string const& more) const {
    auto const separator = path_.find('?') == std::string::npos ? "?" : "&";
    return service_->get(path_ + separator + "limit=" + std::to_string(limit_) + "&" + more, secret_);
}

bool sync_copy::step() {
    auto const answer = get("syncToken=" + token_);
    reachable_ = !out_of_reach(answer);
    if (!reachable_) return false;
    if (must_start_over(answer)) {
        REQUIRE_FALSE(token_.empty());
        token_.clear();
        held_.clear();
        ++restarts_;
        return true;
    }
    INFO(path_ << " " << answer.body);
    REQUIRE(answer.status == 200);
    auto const body = json::parse(answer.body).as_object();
    for (auto const& item : body.at("data").as_array()) {
        auto const& record = item.as_object();
        std::string const id(record.at("id").as_string());
        if (record.at("deletedAt").is_null()) held_[id] = json::serialize(record);
        else held_.erase(id);
        seen_.push_back(record);
    }
    token_ = body.at("page").at("syncToken").as_string();
    return body.at("page").at("hasMore").as_bool();
}

std::vector<json::object> sync_copy::round() {
    seen_.clear();
    while (step()) {
    }
    return seen_;
}

std::vector<json::object> sync_copy::catch_up(pg::client& client) {
    auto const wanted = next_transaction(client);
    std::vector<json::object> all;
    REQUIRE(eventually([&] {
        auto const seen = round();
        all.insert(all.end(), seen.begin(), seen.end());
        return !reachable_ || synced_up_to(token_) >= wanted;
    }));
    return all;
}

bool sync_copy::walk(records& list) const {
    list.clear();
    std::string cursor;
    do {
        auto const answer = get(cursor.empty() ? std::string("sort=createdAt") : "sort=createdAt&cursor=" + cursor);
        if (out_of_reach(answer)) return false;
        INFO(path_ << " " << answer.body);
        REQUIRE(answer.status == 200);
        auto const body = json::parse(answer.body).as_object();
        for (auto const& item : body.at("data").as_array())
            REQUIRE(list.emplace(std::string(item.at("id").as_string()), json::serialize(item)).second);
        auto const& next = body.at("page").at("nextCursor");
        cursor = next.is_null() ? std::string() : std::string(next.as_string());
    } while (!cursor.empty());
    return true;
}

std::uint64_t next_transaction(pg::client& client) {
    return std::stoull(std::string(client.run("SELECT pg_snapshot_xmax(pg_current_snapshot())::text").text(0, 0)));
}

std::uint64_t synced_up_to(std::string_view token) {
    constexpr std::size_t from = 4; // of the parts that services/auth_api/http/list_tokens.cpp signs
    auto const parts = http::token_signer("a secret of thirty-two bytes or so").verify(token);
    REQUIRE(parts);
    return std::stoull(parts->at(from));
}

} // namespace recruiting::test
