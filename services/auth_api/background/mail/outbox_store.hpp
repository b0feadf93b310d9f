// The outbox's statements, as whole segments, and their rows. Each begins by naming the worker, without which
// PostgreSQL shows it nothing. Mails are about a booking, or go to a member (member_mail_store.cpp); lease and ending
// are the same for both.
#pragma once
#include "core/ids.hpp"
#include "crypto/digest.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::mailing {

enum class audience { candidate, interviewer };
enum class kind { confirmed, rescheduled, handed_over, canceled, slot_taken, already_booked, declined };
[[nodiscard]] std::string_view to_string(audience to) noexcept;
[[nodiscard]] std::string_view to_string(kind about) noexcept;

/// What happened to a booking, and whom and what it is about. Names and addresses are as they are now, times as they
/// were when the mail was written.
struct outbox_mail {
    uuid id;
    uuid booking;
    mailing::audience to{audience::candidate};
    kind about{kind::confirmed};
    std::optional<timestamp> starts_at;
    std::optional<timestamp> ends_at;
    std::optional<timestamp> previous_starts_at;
    std::optional<timestamp> wanted_starts_at;
    std::string time_zone; // the candidate's
    uuid calendar_uid;
    std::int64_t sequence{0};
    std::int64_t attempts{0}; // this one counted
    timestamp first_attempt_at;
    timestamp created_at;
    timestamp now; // the database's

    std::string language; // the candidate's; may be empty
    bool has_meeting_url{false};
    std::string organization_name;
    std::string organization_time_zone;
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;
    std::string job_title;
    std::string stage_name;
    std::string candidate_name;
    std::string candidate_email;     // empty: the candidate was deleted
    std::string candidate_email_key; // canonical
    std::string interviewer_name;
    std::string interviewer_email; // empty: no longer a member
};

/// Names the worker for the rest of the transaction.
[[nodiscard]] pg::statement as_mailer();

/// A mail that one sender alone works on until the lease ends.
struct lease {
    uuid mail;
    uuid fence;               // what is written about the mail counts only while this is its lease
    bool is_to_member{false}; // and about no booking: open_member_mail opens it
};

/// Takes the mail that has waited longest, of those whose recipient is owed no earlier mail about the same booking.
[[nodiscard]] std::vector<pg::statement> lease_mail(uuid const& fence, std::chrono::milliseconds duration);
[[nodiscard]] std::optional<lease> read_lease(std::span<pg::rows const> answer, uuid const& fence);

/// What the mail says.
[[nodiscard]] std::vector<pg::statement> open_mail(lease const& of);
/// nullopt: this worker has lost the mail.
[[nodiscard]] std::optional<outbox_mail> read_opened(std::span<pg::rows const> answer);

/// The hashes of an interview's three links.
struct link_hashes {
    digest manage;
    digest join;
    digest decline;
};
/// Counts the mail for its recipient, and puts down the hashes of its links if it may go today. recipient: whose mails
/// are one count (mail::counted_mailbox); an interviewer is counted by the interview.
[[nodiscard]] std::vector<pg::statement> count_mail(lease const& of, std::string const& recipient,
                                                    std::int64_t per_recipient, link_hashes const& links,
                                                    std::chrono::milliseconds link_lifetime);
struct opened_mail {
    outbox_mail mail;
    std::optional<timestamp> link_expires_at; // none: an interviewer's canceled interview has no link
    bool is_beyond_limit{false};              // its recipient has had enough mails today: held_back
};
[[nodiscard]] opened_mail read_counted(outbox_mail mail, std::span<pg::rows const> answer);

// Mails to members: sign-in links, invitations, and what admins are told of a webhook.

enum class member_kind { sign_in, invitation, webhook_failed };
[[nodiscard]] std::string_view to_string(member_kind about) noexcept;

/// To whom and about what, as it is now.
struct member_mail {
    uuid id;
    member_kind about{member_kind::sign_in};
    std::string email; // empty: no longer a member, no longer invited, or no longer an admin
    std::string name;
    std::string inviter;           // the address of the member who invites; empty: an operator
    std::string organization_name; // of all but sign-in mails, as the next two
    std::optional<std::string> logo_url;
    std::optional<std::string> accent_color;
    std::string language;     // may be empty
    std::int64_t attempts{0}; // this one counted
    timestamp first_attempt_at;
    timestamp created_at;
    timestamp now; // the database's
};

struct member_link {
    digest hash;
    std::chrono::milliseconds sign_in_lifetime;
    std::chrono::milliseconds invitation_lifetime;
};
/// What the mail says; the hash of its link is put down with it, if its kind has one that signs in. Every attempt has a
/// link of its own.
[[nodiscard]] std::vector<pg::statement> open_member_mail(lease const& of, member_link const& link);
/// nullopt: this worker has lost the mail.
[[nodiscard]] std::optional<member_mail> read_member_mail(std::span<pg::rows const> answer);

// How an attempt to send a mail ends, of both kinds.

struct attempt_outcome {
    enum class result {
        sent,
        dead,
        delayed,
        held_back, // until the UTC day is over
        given_back // as if it had not been tried
    };
    result what{result::delayed};
    std::string why{};                  // of dead and delayed
    std::chrono::milliseconds pause{0}; // of delayed
};
/// Gives back the mail. One that is sent or held back drops earlier mails that are held back and that it overtakes.
[[nodiscard]] std::vector<pg::statement> conclude(lease const& of, attempt_outcome const& outcome);
/// Whether the mail was still ours.
[[nodiscard]] bool read_written(std::span<pg::rows const> answer);

struct outbox_state {
    std::int64_t waiting{0};
    std::int64_t dead{0};
    std::chrono::seconds oldest{0}; // since the oldest that waits was written
};
/// For the mailer: mails whose times lie too far ahead, because the server's clock was set back since, are due now.
[[nodiscard]] pg::statement bring_forward(std::chrono::milliseconds longest_pause, std::chrono::milliseconds lease);
[[nodiscard]] std::vector<pg::statement> select_state();
[[nodiscard]] outbox_state read_state(std::span<pg::rows const> answer);

} // namespace recruiting::auth_api::mailing
