// Files that settings name: read whole, and nothing but files.
#pragma once
#include <optional>
#include <string>

namespace recruiting {

/// Reads a regular file into content. Returns what is wrong, such as "can't read /run/key: it is a folder", or nothing.
/// Never waits: a named pipe without a writer is refused like everything that is not a file.
[[nodiscard]] std::optional<std::string> read_file(std::string const& path, std::string& content);

} // namespace recruiting
