#include "transfer/http_exchange.hpp"

#include "transfer/curl_parts.hpp"

#include <algorithm>
#include <array>
#include <netdb.h>
#include <netinet/in.h>
#include <new>
#include <sys/socket.h>

namespace recruiting::transfer {
namespace {

// Common servers close an idle connection after five seconds: one that is about to go is not used again.
constexpr long connection_age_seconds = 3;
constexpr std::chrono::seconds longest_pause{3600}; // whatever a server asks for: sums of it must not overflow

template <class T>
T info(CURL* easy, CURLINFO which) {
    T value{};
    curl_easy_getinfo(easy, which, &value);
    return value;
}

http_failure::kind kind_of(CURLcode code) {
    using kind = http_failure::kind;
    if (is_tls_problem(code)) return kind::tls;
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT: return kind::connect_failed;
    case CURLE_OPERATION_TIMEDOUT: return kind::timed_out;
    default: return kind::lost;
    }
}

std::optional<ip_address> address_of(curl_sockaddr const& to) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (::getnameinfo(&to.addr, to.addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        return std::nullopt;
    return parse_ip(text.data());
}

} // namespace

char const* to_string(http_failure::kind why) noexcept {
    switch (why) {
    case http_failure::kind::not_allowed: return "address not allowed";
    case http_failure::kind::connect_failed: return "connect failed";
    case http_failure::kind::tls: return "TLS failed";
    case http_failure::kind::timed_out: return "timed out";
    case http_failure::kind::too_large: return "response too large";
    case http_failure::kind::cancelled: return "cancelled";
    case http_failure::kind::lost: return "connection lost";
    }
    return "";
}

struct http_exchange::transfer {
    explicit transfer(http_request asked) : what(std::move(asked)), easy(new_easy()) {}

    http_request what;
    list_ptr headers{};
    std::size_t sent{0}; // of the body
    http_answer answer{};
    bool too_large{false};
    bool refused_address{false};
    bool cancelled{false};
    bool running{false};
    easy_handle easy; // goes first: it points into the others

    void prepare();
    void prepare_request();
    [[nodiscard]] http_failure failure(ending how) const;
    template <class T>
    void set(CURLoption option, T value) {
        curl_easy_setopt(easy.get(), option, value);
    }
    static std::size_t give(char* to, std::size_t size, std::size_t count, void* self);
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* to);
    static std::size_t take(char const* from, std::size_t size, std::size_t count, void* self);
};

void http_exchange::transfer::prepare() {
    recruiting::transfer::prepare(easy.get(),
                                  {what.url, "http,https", what.timeout, what.connect_timeout, what.ca_file});
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_QUICK_EXIT, 1L); // a transfer that ends does not wait, and the loop with it, for a name server
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_MAXAGE_CONN, connection_age_seconds);
    set(CURLOPT_PROXY, what.proxy.c_str()); // "" ignores the environment's
    set(CURLOPT_NOPROXY, "");
    if (!what.unix_path.empty()) set(CURLOPT_UNIX_SOCKET_PATH, what.unix_path.c_str());
    if (what.may_connect) {
        set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
        set(CURLOPT_OPENSOCKETDATA, this);
    }
    set(CURLOPT_WRITEFUNCTION, &take);
    set(CURLOPT_WRITEDATA, this);
    prepare_request();
}

// The body is given by a function that can't go back: curl repeats a request whose kept connection broke, and must not
// when the server may have seen it.
void http_exchange::transfer::prepare_request() {
    for (auto const& line : what.headers) append(headers, line);
    if (what.method == http_request::verb::post) {
        append(headers, "Expect:"); // no waiting for 100 (Continue)
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(what.body.size()));
        set(CURLOPT_READFUNCTION, &give);
        set(CURLOPT_READDATA, this);
    }
    set(CURLOPT_HTTPHEADER, headers.get());
}

std::size_t http_exchange::transfer::give(char* to, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<transfer*>(self);
    auto const given = me.what.body.copy(to, size * count, me.sent);
    me.sent += given;
    return given;
}

std::size_t http_exchange::transfer::take(char const* from, std::size_t size, std::size_t count, void* self) {
    auto& me = *static_cast<transfer*>(self);
    auto const more = size * count;
    auto const room = me.what.response_limit - me.answer.body.size();
    me.too_large = more > room;
    try {
        me.answer.body.append(from, std::min<std::uint64_t>(more, room));
        if (me.too_large) return CURL_WRITEFUNC_ERROR; // ends the transfer
    } catch (std::bad_alloc const&) {                  // no exception may pass through curl
        return CURL_WRITEFUNC_ERROR;
    }
    return more;
}

// The address that was checked is the one that is connected to: no name is resolved in between.
curl_socket_t http_exchange::transfer::open_socket(void* self, curlsocktype, curl_sockaddr* to) {
    auto& me = *static_cast<transfer*>(self);
    auto const address = address_of(*to);
    if (!address || !me.what.may_connect(*address)) {
        me.refused_address = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

http_failure http_exchange::transfer::failure(ending how) const {
    auto const code = static_cast<CURLcode>(how.code);
    if (how.aborted) return {http_failure::kind::cancelled, ""};
    if (too_large) return {http_failure::kind::too_large, ""};
    auto why = kind_of(code);
    auto const reached = info<curl_off_t>(easy.get(), CURLINFO_PRETRANSFER_TIME_T) > 0; // ready to send
    if (!reached && refused_address) return {http_failure::kind::not_allowed, ""};
    if (!reached && why != http_failure::kind::tls) why = http_failure::kind::connect_failed;
    return {why, curl_easy_strerror(code)};
}

http_exchange::http_exchange(engine& by, http_request what)
    : by_(by), self_(std::make_unique<transfer>(std::move(what))) {
    self_->prepare();
}
http_exchange::~http_exchange() = default;

task<http_result> http_exchange::run() {
    auto& me = *self_;
    if (me.cancelled) co_return http_failure{http_failure::kind::cancelled, ""};
    me.running = true;
    auto const how = co_await by_.perform(me.easy.get());
    me.running = false;
    bool const cut = me.too_large && me.what.keeps_beginning;
    if (me.cancelled || how.aborted || (how.code != CURLE_OK && !cut)) co_return me.failure(how);
    me.answer.status = static_cast<unsigned>(info<long>(me.easy.get(), CURLINFO_RESPONSE_CODE));
    if (auto const* const type = info<char*>(me.easy.get(), CURLINFO_CONTENT_TYPE)) me.answer.content_type = type;
    auto const pause = info<curl_off_t>(me.easy.get(), CURLINFO_RETRY_AFTER);
    if (pause > 0) me.answer.retry_after = std::min(std::chrono::seconds{pause}, longest_pause);
    co_return std::move(me.answer);
}

void http_exchange::cancel() {
    self_->cancelled = true;
    if (self_->running) by_.abort(self_->easy.get());
}

} // namespace recruiting::transfer
