// Typed reading of a query string, collecting every problem instead of stopping at the first (proto-docs/errors.md).
// A parameter that the endpoint did not ask for is unknown. Also what signs the cursors of lists.
#pragma once
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::http {

class query_reader {
public:
    /// Reads at most 64 parameters; the 65th is a problem, and what follows it is not read. Reports parameters
    /// given twice, and text that is not UTF-8 or holds NUL.
    explicit query_reader(std::string_view raw_query);

    // Names are kept until refuse_unknown(), to suggest one of them: give string literals.

    /// Is the parameter there at all (also when empty)? Marks it as known.
    [[nodiscard]] bool has(std::string_view name);
    enum class empty { refused, allowed };
    /// longest: in characters (code points), as OpenAPI's maxLength counts them.
    [[nodiscard]] std::optional<std::string> text(std::string_view name, std::size_t longest = 500,
                                                  empty on_empty = empty::refused);
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);
    [[nodiscard]] std::optional<bool> boolean(std::string_view name);
    [[nodiscard]] std::optional<uuid> id(std::string_view name);
    [[nodiscard]] std::optional<timestamp> time(std::string_view name);
    [[nodiscard]] std::optional<std::string> choice(std::string_view name,
                                                    std::initializer_list<std::string_view> allowed);

    void problem(std::string_view name, std::string_view reason, std::string message);
    /// Unknown parameters become problems, which suggest the nearest name that was asked for.
    void refuse_unknown();
    [[nodiscard]] bool ok() const noexcept { return problems_.empty(); }
    [[nodiscard]] std::vector<error_detail> take_problems() { return std::move(problems_); }

private:
    struct entry {
        std::string name;
        std::string value;
        bool known{false};
    };
    void add(std::string_view pair);
    [[nodiscard]] entry* find(std::string_view name);

    std::vector<entry> parameters_;
    std::array<std::string_view, 40> asked_{}; // names of known parameters; those beyond are not suggested
    std::size_t asked_count_{0};
    std::vector<error_detail> problems_;
};

// Several values of one filter: "status=open,on_hold" asks for either. For filters whose values hold no comma.
inline constexpr std::size_t most_values = 64;

/// Sorted and each once, so that "a,b" and "b,a" are one filter.
using value_list = std::vector<std::string>;

// Each returns nothing when the parameter was not given or was refused: the problem names the first wrong value.
[[nodiscard]] std::optional<value_list> read_choices(query_reader& query, std::string_view name,
                                                     std::initializer_list<std::string_view> allowed);
[[nodiscard]] std::optional<value_list> read_ids(query_reader& query, std::string_view name);
[[nodiscard]] std::optional<value_list> read_integers(query_reader& query, std::string_view name, std::int64_t least,
                                                      std::int64_t most);
/// Words of an open set, such as an audit row's endpoint.
[[nodiscard]] std::optional<value_list> read_words(query_reader& query, std::string_view name);

/// Opaque, signed tokens: a list of texts with an HMAC, base64url (proto-docs/lists.md). A token with one byte changed
/// is rejected. Cursors and sync tokens are made of these; they do not expire.
class token_signer {
public:
    /// previous: a secret whose tokens are accepted as well; empty: none.
    explicit token_signer(std::string secret, std::string previous = {})
        : secret_(std::move(secret)), previous_(std::move(previous)) {}

    [[nodiscard]] std::string sign(std::vector<std::string> const& parts) const;
    /// nullopt: not one of ours.
    [[nodiscard]] std::optional<std::vector<std::string>> verify(std::string_view token) const;

private:
    std::string secret_;
    std::string previous_;
};

} // namespace recruiting::http
