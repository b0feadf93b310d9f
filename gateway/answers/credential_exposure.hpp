// What of a request may not be logged or sent on, because it could be a secret; and a key that was sent where none may
// be: what the gateway reports of it to the public API's service, so that its organization gets to know
// (proto-docs/decisions/0054), behind the client's back: it was refused before, so that nothing of it shows in what it
// gets or how long it takes. The functions are pure.
#pragma once
#include "core/fair_budget.hpp"
#include "crypto/api_key_form.hpp"
#include "gateway/request_context.hpp"
#include "gateway/upstream/pool.hpp"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// The field that carries it: method, where the key stood, and the key. From clients it is dropped.
inline constexpr std::string_view exposure_field = "X-Exposed-Credential";

/// The first key in a field or the target; a bearer token of another kind is none.
[[nodiscard]] std::optional<exposed_key> find_exposure(request_head const& head);

/// A request of the gateway's own, by a safe method and without a body: of the client's it has path, id and user agent,
/// unless the key stands there. to: the service's address, for clients that sent no Host.
void append_exposure_report(std::string& out, request_context const& x, exposed_key const& found, std::string_view to);

/// Has a target, a path or a field the prefix of a secret, percent-encoded or not?
[[nodiscard]] bool target_holds_secret(std::string_view target);

/// A path (of a route, or nullptr) as the log may have it: secrets and the tokens of e-mailed links are left out.
[[nodiscard]] std::string loggable_path(std::string_view path, route const* to);

/// Reports that wait, in order. When they are as many as may be, a client with more than one gives its last for the
/// first of another.
struct waiting_reports {
    struct report {
        ip_address client;
        std::string text;
    };
    static constexpr std::size_t most = 64;
    /// The report to fill in; nullptr: the list is full. The first one, which may be in progress, stays.
    [[nodiscard]] report* add(ip_address const& client);
    [[nodiscard]] bool is_full() const noexcept { return list.size() >= most; }
    std::list<report> list; // the first one's text is being sent: it must not move
};

/// One a thread; one report at a time, few waiting. Anyone can make up keys of the right form: each client has a small
/// budget of reports, so that they leave room for real ones.
class exposure_reporter {
public:
    /// budget: a minute's, of all threads.
    exposure_reporter(asio::io_context& context, upstream& to, std::chrono::milliseconds limit, fair_budget& budget,
                      metrics::registry& registry);

    /// For a request that was refused because of a credential. owner keeps this alive while it is at work.
    void note(request_context const& x, std::shared_ptr<void> owner);

private:
    task<void> work(std::shared_ptr<void> owner);
    task<bool> send();

    asio::io_context& context_;
    upstream& to_;
    std::chrono::milliseconds limit_;
    fair_budget& budget_;
    metrics::counter& reported_;
    metrics::counter& dropped_;
    metrics::counter& over_budget_;
    recent_set known_{1024, std::chrono::minutes{1}};
    waiting_reports waiting_;
    bool working_{false};
};

} // namespace recruiting::gateway
