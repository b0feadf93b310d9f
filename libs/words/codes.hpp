// Codes of countries (ISO 3166-1 alpha-2) and currencies (ISO 4217) in texts of other systems, as ICU knows them. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// "DE" for "de", "GB" for "UK", "GR" for "EL"; "" for what names no country, such as XX and EU.
[[nodiscard]] std::string country_code(std::string_view code);

/// The country that a place ends in: "DE" for "Berlin, Germany", "US" for "Austin, TX, USA". "" where it names several
/// places, and where its end may be a state of the same name or code: "Atlanta, Georgia", "San Francisco, CA".
[[nodiscard]] std::string country_of_place(std::string_view place);

/// How many decimals amounts in this currency have: 2 for "EUR", 0 for "JPY". nullopt: it is no currency.
[[nodiscard]] std::optional<int> currency_decimals(std::string_view code);

} // namespace recruiting
