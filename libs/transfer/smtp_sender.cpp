#include "transfer/smtp_sender.hpp"

#include "async/task.hpp"
#include "transfer/curl_parts.hpp"
#include "transfer/engine.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

namespace recruiting::transfer {

struct smtp_sender::state {
    state(asio::io_context& context, std::size_t threads) : executor(context.get_executor()), pool(threads) {}
    io_executor executor;
    std::atomic<smtp_stop> stop{smtp_stop::none};
    asio::thread_pool pool; // goes first: its threads look at the rest
};

smtp_sender::smtp_sender(asio::io_context& context, std::size_t threads)
    : state_(std::make_unique<state>(context, threads)) {}

smtp_sender::~smtp_sender() {
    stop(smtp_stop::all);
    state_->pool.join();
}

task<smtp_outcome> smtp_sender::send(smtp_request what) {
    auto enqueue = [self = state_.get(), asked = std::move(what)](completion<smtp_outcome> done) mutable {
        asio::post(self->pool, [self, request = std::move(asked), end = std::move(done)]() mutable {
            try {
                end.succeed(send_by_smtp(request, self->stop));
            } catch (std::exception const&) {
                end.fail(std::current_exception());
            }
        });
    };
    auto const outcome = co_await suspend<smtp_outcome>(state_->executor, std::move(enqueue));
    co_return outcome;
}

void smtp_sender::stop(smtp_stop which) { state_->stop = which; }

namespace {

std::size_t drop(char*, std::size_t size, std::size_t count, void*) { return size * count; }

long curl_use_of(smtp_security security) noexcept {
    switch (security) {
    case smtp_security::required: return CURLUSESSL_ALL;
    case smtp_security::opportunistic: return CURLUSESSL_TRY;
    case smtp_security::off: return CURLUSESSL_NONE;
    }
    return CURLUSESSL_ALL;
}

} // namespace

smtp_probe_result probe_smtp(smtp_request const& what) {
    auto const easy = new_easy();
    auto const set = [&](CURLoption option, auto value) { curl_easy_setopt(easy.get(), option, value); };
    set(CURLOPT_URL, what.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROXY, ""); // "" ignores the environment's
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(what.timeout.count(), 1)));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(what.connect_timeout.count(), 1)));
    set(CURLOPT_CUSTOMREQUEST, "NOOP"); // after greeting, TLS and login
    set(CURLOPT_WRITEFUNCTION, &drop);
    set(CURLOPT_HEADERFUNCTION, &drop);
    set(CURLOPT_USE_SSL, curl_use_of(what.security));
    prepare_security(easy.get(), what.ca_file);
    if (!what.user.empty()) {
        set(CURLOPT_USERNAME, what.user.c_str());
        set(CURLOPT_PASSWORD, what.password.c_str());
    }
    auto const code = curl_easy_perform(easy.get());
    if (code == CURLE_OK) return {true, {}};
    long reply = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &reply);
    std::string why = curl_easy_strerror(code);
    if (reply >= 400) why += " (" + std::to_string(reply) + ")";
    return {false, why};
}

} // namespace recruiting::transfer
