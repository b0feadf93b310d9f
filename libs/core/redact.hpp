// What clients send is made fit for the audit log and for reports: text that PostgreSQL takes, of bounded length,
// without secrets.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// At most longest bytes, cut between characters; control characters and what is not UTF-8 become '?'.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest);
/// Replaces what follows sp_live_ or sp_test_: a key pasted into a path or a user agent is not kept. Never
/// longer than text; redacted twice is the same as once.
[[nodiscard]] std::string redact_secrets(std::string text);
/// Hides what stands between "//" and "@" of an address, and each password=… of a connection string.
[[nodiscard]] std::string redact_url(std::string text);

} // namespace recruiting
