// Mails as .eml files, for development: any mail program opens them.
#pragma once
#include <string>
#include <system_error>

namespace recruiting::auth_api::mailing {

/// Writes directory/name, whole or not at all, readable by its owner only. Makes the directory.
[[nodiscard]] std::error_code write_mail_file(std::string const& directory, std::string const& name,
                                              std::string const& content);

} // namespace recruiting::auth_api::mailing
