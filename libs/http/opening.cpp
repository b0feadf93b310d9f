#include "http/opening.hpp"

#include "async/ticker.hpp"

#include <boost/asio/post.hpp>
#include <memory>

namespace recruiting::http {
namespace {

constexpr std::chrono::milliseconds look_interval{10};

// Its own members are used in `beside` only.
class opening : public std::enable_shared_from_this<opening> {
public:
    opening(asio::io_context& beside, std::vector<thread_to_open> threads, bool has_predecessor, opening_calls calls)
        : beside_(beside), threads_(std::move(threads)), has_predecessor_(has_predecessor), calls_(std::move(calls)),
          deadline_(coarse_clock::now() + (has_predecessor ? longest_takeover : longest_start)) {}

    void begin() {
        waiting_for_ = threads_.size();
        for (auto& one : threads_) asio::post(one.context, [self = shared_from_this(), &one] { self->look(one); });
    }

private:
    // On the thread's own loop.
    void look(thread_to_open& at) {
        auto why_not = at.part.fault();
        if (why_not.empty() || coarse_clock::now() >= deadline_) return report(std::move(why_not), &opening::usable);
        auto timer = std::make_shared<timer_type>(at.context, look_interval);
        timer->async_wait([self = shared_from_this(), timer, &at](boost::system::error_code) { self->look(at); });
    }
    void listen(thread_to_open& at) {
        std::string why_not;
        try {
            at.part.listen();
        } catch (std::exception const& error) {
            why_not = error.what();
        }
        report(std::move(why_not), &opening::listening);
    }
    void report(std::string why_not, void (opening::*then)()) {
        asio::post(beside_, [self = shared_from_this(), then, why = std::move(why_not)] {
            if (self->why_not_.empty()) self->why_not_ = why;
            if (--self->waiting_for_ == 0) ((*self).*then)();
        });
    }

    void usable() {
        if (!calls_.is_wanted()) return;
        if (has_predecessor_ && !why_not_.empty())
            return calls_.done("another process is ready on this address and goes on, because this one is not: " +
                               why_not_);
        why_not_.clear();
        waiting_for_ = threads_.size();
        for (auto& one : threads_) asio::post(one.context, [self = shared_from_this(), &one] { self->listen(one); });
    }
    void listening() { calls_.done(why_not_); }

    asio::io_context& beside_;
    std::vector<thread_to_open> threads_;
    bool const has_predecessor_;
    opening_calls const calls_;
    coarse_clock::time_point const deadline_;
    std::size_t waiting_for_{0};
    std::string why_not_;
};

} // namespace

void open_when_usable(asio::io_context& beside, std::vector<thread_to_open> threads, bool has_predecessor,
                      opening_calls calls) {
    std::make_shared<opening>(beside, std::move(threads), has_predecessor, std::move(calls))->begin();
}

} // namespace recruiting::http
