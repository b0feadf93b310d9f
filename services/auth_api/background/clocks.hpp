// What SQL says of times that PostgreSQL's clock may have given while it was wrong (proto-docs/reliability.md, "Wrong
// clocks").
#pragma once

/// Whether the server's clock and this program's agree to an hour; what is deleted by age is lost. now: the parameter
/// with the program's time.
#define RECRUITING_CLOCKS_AGREE(now) "abs(extract(epoch FROM clock_timestamp() - " now "::timestamptz)) < 3600"

/// Longer than any lease that the setting gives: of one with more left, the server's clock was set back since. lease:
/// the parameter with the setting, in milliseconds.
#define RECRUITING_LONGEST_LEASE(lease) "2 * " lease "::bigint * interval '1 millisecond' + interval '1 minute'"
