// The keys of session tickets (RFC 5077, RFC 8446 section 4.6.1), shared by all threads; from a file, by all processes.
// The first key encrypts, all decrypt. Without a file keys are random and change by time.
#pragma once
#include "core/time.hpp"

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

struct ssl_ctx_st;

namespace recruiting {

struct ticket_key {
    std::array<unsigned char, 16> name{};
    std::array<unsigned char, 32> mac_key{};    // HMAC-SHA256
    std::array<unsigned char, 32> cipher_key{}; // AES-256-CBC
    ticket_key() = default;
    ticket_key(ticket_key const&) = default;
    ticket_key& operator=(ticket_key const&) = default;
    ~ticket_key();
};

/// A file's content: 80 random bytes a key (name, MAC key, cipher key), one to sixteen keys one after another.
/// nullopt: not that.
[[nodiscard]] std::optional<std::vector<ticket_key>> parse_ticket_keys(std::string_view content);

class ticket_keys {
public:
    static constexpr std::chrono::hours interval{1};
    static constexpr std::chrono::hours lifetime{2}; // a ticket is accepted this long

    explicit ticket_keys(time_source const& time) : time_(time) {}
    /// From now on these, instead of random ones.
    void use(std::vector<ticket_key> of_file);
    [[nodiscard]] ticket_key newest();
    struct match {
        ticket_key key;
        bool is_newest;
    };
    [[nodiscard]] std::optional<match> find(unsigned char const* name);

private:
    void rotate();

    time_source const& time_;
    std::mutex mutex_;
    std::vector<ticket_key> keys_; // the newest first
    bool from_file_{false};
    timestamp next_{timestamp::min()};
};

/// Tickets of the context are made and read with these keys, which must outlive its sessions.
void use_ticket_keys(ssl_ctx_st* context, ticket_keys& keys);

} // namespace recruiting
