#include "transfer/engine.hpp"

#include "async/task.hpp"
#include "async/ticker.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <curl/curl.h>
#include <new>
#include <stdexcept>
#include <unordered_map>

namespace recruiting::transfer {
namespace {

using descriptor_type = asio::posix::basic_stream_descriptor<io_executor>;
using direction = asio::posix::descriptor_base::wait_type;

struct multi_deleter {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};

constexpr long kept_connections = 32; // idle ones

// A descriptor of curl's that Asio waits on.
struct watch {
    watch(io_executor executor, curl_socket_t which) : descriptor(executor, which), number(which) {}
    ~watch() { let_go(); }
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;

    // Curl closes it, after it said so: Asio must have let go of it by then.
    void let_go() {
        if (descriptor.is_open()) descriptor.release();
        wanted = CURL_POLL_NONE;
    }

    descriptor_type descriptor;
    curl_socket_t number;
    int wanted{CURL_POLL_NONE};
    bool waiting_read{false};
    bool waiting_write{false};
};

void initialize_curl() {
    static CURLcode const once = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (once != CURLE_OK) throw std::runtime_error("libcurl can't be used");
}

} // namespace

void easy_deleter::operator()(void* easy) const noexcept { curl_easy_cleanup(easy); }

easy_handle new_easy() {
    initialize_curl();
    easy_handle made(curl_easy_init());
    if (!made) throw std::bad_alloc();
    return made;
}

struct engine::state : std::enable_shared_from_this<engine::state> {
    explicit state(asio::io_context& context) : executor(context.get_executor()), timer(context) {
        initialize_curl();
        multi.reset(curl_multi_init());
        if (!multi) throw std::bad_alloc();
    }

    io_executor executor;
    timer_type timer;
    std::unordered_map<curl_socket_t, std::shared_ptr<watch>> watches;
    std::unordered_map<void*, completion<ending>> waiting;
    std::unique_ptr<CURLM, multi_deleter> multi;

    void configure();
    void begin(void* easy, completion<ending> done);
    void end(void* easy, ending how);
    void end_all();
    void act(curl_socket_t which, int events);
    void wait_for(std::shared_ptr<watch> const& one);
    void wait_for(std::shared_ptr<watch> const& one, direction which, bool& already, int event);
    static int on_socket(CURL* easy, curl_socket_t which, int what, void* self, void* unused);
    static int on_timer(CURLM* multi, long milliseconds, void* self);
};

void engine::state::configure() {
    curl_multi_setopt(multi.get(), CURLMOPT_SOCKETFUNCTION, &on_socket);
    curl_multi_setopt(multi.get(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi.get(), CURLMOPT_TIMERFUNCTION, &on_timer);
    curl_multi_setopt(multi.get(), CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi.get(), CURLMOPT_MAXCONNECTS, kept_connections);
}

void engine::state::begin(void* easy, completion<ending> done) {
    auto const code = curl_multi_add_handle(multi.get(), easy);
    if (code != CURLM_OK) return done.succeed({CURLE_FAILED_INIT, false});
    waiting.emplace(easy, std::move(done));
}

void engine::state::end(void* easy, ending how) {
    auto found = waiting.extract(easy);
    if (found.empty()) return;
    curl_multi_remove_handle(multi.get(), easy);
    found.mapped().succeed(how);
}

void engine::state::end_all() {
    while (!waiting.empty()) end(waiting.begin()->first, {CURLE_ABORTED_BY_CALLBACK, true});
    // Closing what is left must not call back: Asio lets go of every descriptor first.
    curl_multi_setopt(multi.get(), CURLMOPT_SOCKETFUNCTION, nullptr);
    curl_multi_setopt(multi.get(), CURLMOPT_TIMERFUNCTION, nullptr);
    watches.clear();
    timer.cancel();
    multi.reset();
}

// Coroutines are resumed through the executor, never from in here: they may begin or abort transfers.
void engine::state::act(curl_socket_t which, int events) {
    int running = 0;
    curl_multi_socket_action(multi.get(), which, events, &running);
    int left = 0;
    while (auto const* const message = curl_multi_info_read(multi.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        end(message->easy_handle, {message->data.result, false}); // the message is gone after it
    }
}

void engine::state::wait_for(std::shared_ptr<watch> const& one) {
    if ((one->wanted & CURL_POLL_IN) != 0)
        wait_for(one, descriptor_type::wait_read, one->waiting_read, CURL_CSELECT_IN);
    if ((one->wanted & CURL_POLL_OUT) != 0)
        wait_for(one, descriptor_type::wait_write, one->waiting_write, CURL_CSELECT_OUT);
}

void engine::state::wait_for(std::shared_ptr<watch> const& one, direction which, bool& already, int event) {
    if (already) return;
    already = true;
    // `already` belongs to `one`, which the handler keeps.
    one->descriptor.async_wait(which, [weak = weak_from_this(), one, &already, event](auto error) {
        already = false;
        auto const self = weak.lock();
        if (!self || !one->descriptor.is_open()) return; // let go of meanwhile
        auto const asked = event == CURL_CSELECT_IN ? CURL_POLL_IN : CURL_POLL_OUT;
        if ((one->wanted & asked) == 0) return;
        self->act(one->number, error ? CURL_CSELECT_ERR : event);
        self->wait_for(one);
    });
}

int engine::state::on_socket(CURL*, curl_socket_t which, int what, void* self, void*) {
    auto& me = *static_cast<state*>(self);
    if (what == CURL_POLL_REMOVE) {
        if (auto const found = me.watches.extract(which); !found.empty()) found.mapped()->let_go();
        return 0;
    }
    try {
        auto& one = me.watches[which];
        if (!one) one = std::make_shared<watch>(me.executor, which);
        one->wanted = what;
        me.wait_for(one);
        return 0;
    } catch (std::exception const&) { // no exception may pass through curl
        me.watches.erase(which);
        return -1;
    }
}

int engine::state::on_timer(CURLM*, long milliseconds, void* self) {
    auto& me = *static_cast<state*>(self);
    if (milliseconds < 0) {
        me.timer.cancel();
        return 0;
    }
    me.timer.expires_after(std::chrono::milliseconds{milliseconds});
    me.timer.async_wait([weak = me.weak_from_this()](auto error) {
        auto const alive = weak.lock();
        if (!error && alive) alive->act(CURL_SOCKET_TIMEOUT, 0);
    });
    return 0;
}

engine::engine(asio::io_context& context) : state_(std::make_shared<state>(context)) { state_->configure(); }
engine::~engine() { state_->end_all(); }

task<ending> engine::perform(void* easy) {
    auto enqueue = [self = state_, easy](completion<ending> done) { self->begin(easy, std::move(done)); };
    auto const how = co_await suspend<ending>(state_->executor, std::move(enqueue));
    co_return how;
}

void engine::abort(void* easy) { state_->end(easy, {CURLE_ABORTED_BY_CALLBACK, true}); }
std::size_t engine::in_flight() const noexcept { return state_->waiting.size(); }

} // namespace recruiting::transfer
