#include "auth_api/agent/run/run_record.hpp"

#include <array>
#include <stdexcept>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::array<std::string_view, 3> status_names = {"in_progress", "completed", "failed"};

} // namespace

run_status parse_run_status(std::string_view text) {
    for (std::size_t i = 0; i < status_names.size(); ++i)
        if (status_names[i] == text) return static_cast<run_status>(i);
    throw std::logic_error("no status of a run: " + std::string(text));
}

std::string_view to_string(run_status status) noexcept { return status_names[static_cast<std::size_t>(status)]; }

run_status told_status(run_record const& run) noexcept {
    return run.status == run_status::in_progress && run.lease_expired ? run_status::failed : run.status;
}

next_move decide(bool names_session, found_state const& found, auth::reach const& allowed) noexcept {
    auto const& in_the_way = names_session ? found.going_on : found.by_key;
    if (names_session && !found.session_known) return next_move::not_found;
    bool const shows_records = names_session || (in_the_way && in_the_way->status == run_status::completed);
    if (shows_records && !allowed.covers(found.used)) return next_move::out_of_reach;
    if (!in_the_way) return next_move::begin;
    if (in_the_way->status == run_status::in_progress && in_the_way->lease_expired) return next_move::fail_expired;
    return names_session ? next_move::busy : next_move::answer;
}

} // namespace recruiting::auth_api::agent
