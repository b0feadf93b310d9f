// A request's use of one address: connections, and what is learnt of the address by it.
#include "core/log.hpp"
#include "gateway/limited_socket.hpp"
#include "gateway/upstream.hpp"

#include <system_error>

namespace recruiting::gateway {

upstream::lease::lease(upstream& of, upstream_address* at) noexcept
    : of_(of), at_(at), trial_(at != nullptr && (at->rank == address_rank::trial || at->health.ejected())) {
    if (at_ != nullptr) ++at_->under_way;
}

upstream::lease::~lease() {
    if (at_ != nullptr) --at_->under_way;
}

upstream::handle upstream::lease::take_idle(bool checked) {
    auto& idle = at_->idle;
    while (!idle.empty()) {
        auto last = std::move(idle.back());
        idle.pop_back();
        if (checked ? !last->io.is_quiet() : !last->io.seems_quiet()) continue;
        last->reused = true;
        return last;
    }
    return nullptr;
}

void upstream::lease::give_back(handle connection) {
    if (of_.stopped_ || at_->gone || at_->idle.size() >= static_cast<std::size_t>(of_.policy_.pool)) return;
    connection->idle_since = of_.clock_.now();
    at_->idle.push_back(std::move(connection));
}

task<upstream::handle> upstream::lease::connect() {
    limited_socket socket(of_.context_, of_.policy_.connect_timeout);
    auto const where = at_->target->where;
    auto result = co_await socket.connect(where);
    tls_session tls;
    if (result == connect_result::made && of_.tls_ != nullptr) {
        tls = of_.tls_->connect_session(at_->target->name);
        auto const fault = co_await socket.handshake(tls);
        if (fault) {
            log::warning("upstream_tls_failed", {{"address", at_->target->host}, {"message", *fault}});
            result = connect_result::refused;
        }
    }
    auto made = result == connect_result::made ? keep(socket.release(), std::move(tls)) : nullptr;
    (made ? of_.metrics_.connects : of_.metrics_.connect_failures).add();
    bool const nobody = result == connect_result::refused || result == connect_result::late;
    if (nobody) note_failure(false);
    co_return made;
}

upstream::handle upstream::lease::keep(socket_type connected, tls_session tls) {
    try {
        auto made = std::make_unique<upstream_connection>(std::move(connected), of_.watch_, at_->target->host);
        made->io.use(std::move(tls));
        return made;
    } catch (std::system_error const& error) { // the kernel watches no more sockets: not the address's fault
        log::warning("connection_not_watched", {{"message", error.what()}});
        return nullptr;
    }
}

void upstream::lease::note_success() noexcept {
    at_->health.note_success(trial_, of_.clock_.now());
    if (trial_) of_.judge(*at_);
}

void upstream::lease::note_failure(bool reached) {
    bool const ejected = at_->health.note_failure(reached, coarse_clock::now());
    of_.judge(*at_);
    if (!ejected) return;
    at_->idle.clear();
    of_.metrics_.ejections.add();
    log::warning("upstream_ejected", {{"address", at_->target->host}});
}

} // namespace recruiting::gateway
