#include "recruitctl/commands/webhook_listen.hpp"

#include "core/file.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "crypto/digest.hpp"
#include "directory/webhook_message.hpp"
#include "recruitctl/output.hpp"
#include "recruitctl/web.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>
#include <thread>

namespace recruiting::recruitctl {
namespace {

constexpr std::chrono::seconds interval{2}; // a webhook's window
constexpr std::chrono::seconds timeout{15};

using directory::webhook_message;

// The list whose sync returns what changes of a resource; "": it has none. Applications and interviews are a change of
// their candidate.
std::string synced_list(std::string_view resource) {
    if (resource == "jobs" || resource == "members") return "/" + std::string(resource);
    return resource == "agent_runs" || resource == "audit" ? "" : "/candidates";
}

std::string text_in(boost::json::object const& record, std::string_view name) {
    auto const* const value = record.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

class listener {
public:
    explicit listener(invocation& call)
        : call_(call), gateway_(call.get("--url")), resources_(call.list("--resource")) {
        if (auto const wrong = base_url_problem(gateway_)) throw usage_error("--url " + *wrong);
        if (auto const wrong = read_file(call.get("--key-file"), key_)) throw usage_error("--key-file: " + *wrong);
        key_ = trim(std::string(key_));
        for (auto const& resource : resources_)
            if (!directory::is_webhook_resource(resource)) throw usage_error("--resource " + resource + " is unknown");
    }

    void begin() {
        organization_ = *parse_id(text_in(read("/organization").at("data").as_object(), "id"));
        for (auto const& resource : resources_) static_cast<void>(news_of(resource));
        if (call_.has("--forward"))
            call_.err << "secret for the receiver: " << directory::webhook_secret_text(secret_) << '\n';
        call_.err << "listening\n" << std::flush;
    }

    void look() {
        auto const began = system_time().now();
        for (auto const& resource : resources_)
            for (auto const& news : news_of(resource)) {
                webhook_message what{random_id(), resource + ".changed", organization_, {}, {},
                                     last_look_,  system_time().now()};
                if (resource == "agent_runs") {
                    auto const parts = split(news, ' ');
                    what.type = "agent_runs." + std::string(parts[1]);
                    what.subject = parse_id(parts[0]);
                }
                tell(what);
            }
        last_look_ = began;
    }

private:
    boost::json::object read(std::string_view path) {
        transfer::http_request request;
        request.url = url_below(gateway_, "/api/v1" + std::string(path));
        request.headers = {"Authorization: Bearer " + key_};
        auto const answer = fetch(std::move(request), timeout);
        boost::system::error_code error;
        auto document = boost::json::parse(answer.body, error);
        if (answer.status != 200 || error || !document.is_object())
            throw failure(std::string(path.substr(0, path.find('?'))) + ": " + answer.why);
        return std::move(document.get_object());
    }

    // What has changed since this was asked last: of the agent's runs an entry each, else one entry or none.
    std::set<std::string> news_of(std::string const& resource) {
        auto const list = synced_list(resource);
        if (!list.empty()) return sync(list, resource) ? std::set<std::string>{resource} : std::set<std::string>{};
        auto now = newest(resource);
        std::set<std::string> news;
        std::ranges::set_difference(now, seen_[resource], std::inserter(news, news.end()));
        seen_[resource] = std::move(now);
        return news;
    }

    bool sync(std::string const& list, std::string const& resource) {
        bool changed = false;
        for (auto& token = tokens_[resource];;) {
            auto const answer = read(list + "?limit=200&syncToken=" + percent_encode(token));
            auto const& page = answer.at("page").as_object();
            changed = changed || !answer.at("data").as_array().empty();
            token = text_in(page, "syncToken");
            if (!page.at("hasMore").as_bool()) return changed;
        }
    }

    // Runs that have ended, or the newest row of the audit log. A read of the audit log is a row of it, and no news.
    std::set<std::string> newest(std::string_view resource) {
        std::set<std::string> out;
        bool const of_runs = resource == "agent_runs";
        auto const answer = read(of_runs ? "/agent/sessions?sort=-updatedAt&limit=20" : "/audit?limit=50");
        for (auto const& value : answer.at("data").as_array()) {
            auto const& record = value.as_object();
            auto const status = text_in(record, "status");
            if (status == "in_progress" || text_in(record, "endpoint") == "/api/v1/audit") continue;
            out.insert(text_in(record, "id") + " " + status + " " + text_in(record, "updatedAt"));
            if (!of_runs) break;
        }
        return out;
    }

    void tell(webhook_message const& what) {
        auto const body = body_of(what);
        call_.out << body << '\n' << std::flush;
        if (!call_.has("--forward")) return;
        transfer::http_request request;
        request.method = transfer::http_request::verb::post;
        request.url = call_.get("--forward");
        request.headers = signed_headers(what, system_time().now(), body, {secret_});
        request.headers.emplace_back("Content-Type: application/json");
        request.body = body;
        auto const answer = fetch(std::move(request), timeout);
        call_.err << name_of(what) << ": " << answer.why << '\n' << std::flush;
    }

    invocation& call_;
    std::string gateway_;
    std::vector<std::string> resources_;
    std::string key_;
    std::string secret_{random_bytes(32)};
    uuid organization_{};
    std::map<std::string, std::string> tokens_;         // by resource
    std::map<std::string, std::set<std::string>> seen_; // likewise
    timestamp last_look_{system_time().now()};
};

} // namespace

int listen_for_changes(invocation& call) {
    auto const until =
        call.has("--for") ? std::optional(std::chrono::steady_clock::now() + call.duration("--for", "")) : std::nullopt;
    listener listening(call);
    listening.begin();
    while (!until || std::chrono::steady_clock::now() < *until) {
        std::this_thread::sleep_for(interval);
        listening.look();
    }
    return done;
}

} // namespace recruiting::recruitctl
