#include "redis/sentinels.hpp"

#include "core/text.hpp"

namespace recruiting::redis {

void add_login(batch& commands, login const& as) {
    if (as.password.empty()) return;
    if (as.user.empty()) commands.add({"AUTH", as.password});
    else commands.add({"AUTH", as.user, as.password});
}

namespace {

// For one Sentinel: short, so that two which hang still leave time to find the new master within a second.
constexpr std::chrono::milliseconds question_limit{250};

} // namespace

std::optional<endpoint> read_master(reply const& said) {
    if (said.type != reply::kind::array || said.elements.size() != 2) return std::nullopt;
    auto const port = parse_number<std::uint16_t>(said.elements[1].text);
    if (!port || *port == 0 || said.elements[0].text.empty()) return std::nullopt;
    return endpoint{said.elements[0].text, *port, {}};
}

bool is_master(reply const& role) noexcept {
    return role.type == reply::kind::array && !role.elements.empty() && role.elements[0].text == "master";
}

sentinel_list::sentinel_list(asio::io_context& context, address const& of, std::shared_ptr<session_source> tls)
    : of_(of), channel_(context, std::move(tls)), limit_(context) {}

task<std::optional<endpoint>> sentinel_list::ask() {
    for (std::size_t asked = 0; asked < of_.sentinels.size(); ++asked) {
        auto found = co_await ask_one(of_.sentinels[next_]);
        if (found) co_return found;
        try_next();
    }
    co_return std::nullopt;
}

task<std::optional<endpoint>> sentinel_list::ask_one(endpoint const& where) {
    limit_.expires_after(question_limit);
    limit_.async_wait([self = shared_from_this()](auto cancelled) {
        if (!cancelled) self->close();
    });
    batch question;
    bool good = true;
    if (!channel_.is_open()) {
        good = co_await channel_.connect(where);
        add_login(question, of_.at_sentinels);
    }
    question.add({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", of_.service});
    std::vector<reply> replies;
    if (good) good = co_await channel_.exchange(question, replies);
    limit_.cancel();
    if (!good) co_return std::nullopt;
    co_return read_master(replies.back());
}

void sentinel_list::try_next() {
    close();
    next_ = (next_ + 1) % of_.sentinels.size();
}

void sentinel_list::close() {
    limit_.cancel();
    channel_.close();
}

} // namespace recruiting::redis
