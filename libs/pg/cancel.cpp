#include "pg/cancel.hpp"

#include <libpq-fe.h>

#include <array>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>

namespace recruiting::pg {
namespace {

constexpr int most_under_way = 16;

std::atomic<int>& under_way() noexcept {
    static std::atomic<int> count{0};
    return count;
}

struct free_cancel {
    void operator()(PGcancel* cancel) const noexcept { PQfreeCancel(cancel); }
};

} // namespace

void cancel_statement(pg_conn* connection) noexcept {
    std::unique_ptr<PGcancel, free_cancel> cancel(PQgetCancel(connection));
    if (!cancel) return;
    if (under_way().fetch_add(1) >= most_under_way) {
        under_way().fetch_sub(1);
        return;
    }
    try {
        std::thread([of = std::move(cancel)] {
            std::array<char, 256> why{};
            static_cast<void>(PQcancel(of.get(), why.data(), static_cast<int>(why.size())));
            under_way().fetch_sub(1);
        }).detach();
    } catch (std::system_error const&) {
        under_way().fetch_sub(1);
    }
}

} // namespace recruiting::pg
