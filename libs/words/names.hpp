// Names that strangers chose, in texts that are sent in our name. Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// Does a text that should be a person's name hold something that mail programs make a link of, or that a reader may
/// call: a link, a domain, an e-mail address, a telephone number? Full-width letters, invisible characters, and the
/// dots and digits of other scripts hide none. A name such as "St.John" counts as a domain, too: only the reader's mail
/// program knows which endings are none.
[[nodiscard]] bool looks_like_contact(std::string_view name);

/// The name, or "" if it looks like a contact: the mail then has no name.
[[nodiscard]] std::string name_in_mail(std::string_view name);

/// Of the mails to interviewers, and of the calendar entries in them.
inline constexpr std::string_view interviewers_language = "en";
/// The candidate as these name them: name_in_mail, or "a candidate".
[[nodiscard]] std::string candidate_in_mail(std::string_view name);

} // namespace recruiting
