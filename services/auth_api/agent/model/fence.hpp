// Marks text from records as data: what tools give is put between two lines that hold a nonce, which the model is told
// to trust and which no record can contain. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

class fence {
public:
    /// nonce: text that nobody can guess, for one run. The same in all of a run's calls: the model server then has to
    /// read only what is new.
    explicit fence(std::string nonce);

    [[nodiscard]] std::string const& opening() const noexcept { return opening_; }
    [[nodiscard]] std::string const& closing() const noexcept { return closing_; }
    /// data between the two lines; a nonce in it is taken out, so that it closes nothing.
    [[nodiscard]] std::string around(std::string_view data) const;
    /// How much longer that makes it.
    [[nodiscard]] std::size_t size() const noexcept { return opening_.size() + closing_.size() + 2; }

private:
    std::string nonce_;
    std::string opening_;
    std::string closing_;
};

/// What the nonce of a run is: it depends on the prompt and on a secret of this process.
[[nodiscard]] std::string fence_nonce(std::string_view secret, std::string_view prompt);

} // namespace recruiting::auth_api::agent
