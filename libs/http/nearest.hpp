// Finds what a mistyped name was meant to be, for refusals of unknown parameters and fields. Pure.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace recruiting::http {

/// The one of known that is at most two edits from name, letters' case aside; an edit adds, removes or replaces a
/// character or swaps two neighbours. Of names under six characters only one edit. Empty: none is that near, and some
/// letter must be left as it was.
[[nodiscard]] std::string_view nearest(std::string_view name, std::span<std::string_view const> known);

/// What the refusal of an unknown name says: `what`, and the known name that was probably meant.
[[nodiscard]] std::string unknown_message(std::string_view what, std::string_view name,
                                          std::span<std::string_view const> known);

} // namespace recruiting::http
