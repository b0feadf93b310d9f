// OpenSSL's view of a socket: like its own socket BIO, but a send never raises SIGPIPE, and a read that emptied the
// socket is remembered. For tls_session only.
#pragma once
#include <openssl/bio.h>
#include <string>

namespace recruiting {

/// The descriptor stays the caller's. received: what was read from the socket already, and comes first.
[[nodiscard]] BIO* make_socket_bio(int descriptor, std::string received);
/// Did the last read take less than it asked for? Then the socket is empty, and an edge-triggered poller tells when
/// not.
[[nodiscard]] bool is_drained(BIO* bio) noexcept;

} // namespace recruiting
