#include "transfer/smtp_sender.hpp"

#include "async/task.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

namespace recruiting::transfer {

struct smtp_sender::state {
    state(asio::io_context& context, std::size_t threads) : executor(context.get_executor()), pool(threads) {}
    io_executor executor;
    std::atomic<smtp_hurry> hurry{smtp_hurry::none};
    asio::thread_pool pool; // goes first: its threads look at the rest
};

smtp_sender::smtp_sender(asio::io_context& context, std::size_t threads)
    : state_(std::make_unique<state>(context, threads)) {}

smtp_sender::~smtp_sender() {
    hurry(smtp_hurry::drop);
    state_->pool.join();
}

task<smtp_outcome> smtp_sender::send(smtp_request what) {
    auto enqueue = [self = state_.get(), asked = std::move(what)](completion<smtp_outcome> done) mutable {
        asio::post(self->pool, [self, request = std::move(asked), end = std::move(done)]() mutable {
            try {
                end.succeed(send_by_smtp(request, self->hurry));
            } catch (std::exception const&) {
                end.fail(std::current_exception());
            }
        });
    };
    auto const outcome = co_await suspend<smtp_outcome>(state_->executor, std::move(enqueue));
    co_return outcome;
}

void smtp_sender::hurry(smtp_hurry how) { state_->hurry = how; }

} // namespace recruiting::transfer
