// What SQL says of times that PostgreSQL's clock may have given while it was wrong (proto-docs/reliability.md, "Wrong
// clocks").
#pragma once

/// Whether the server's clock and this program's agree to an hour; what is deleted by age is lost. now: the parameter
/// with the program's time.
#define RECRUITING_CLOCKS_AGREE(now) "abs(extract(epoch FROM clock_timestamp() - " now "::timestamptz)) < 3600"

/// Longer than any lease or pause that the setting gives, here or in a process with another value: if more is left of
/// one, the server's clock was set back since. setting: the parameter with it, in milliseconds.
#define RECRUITING_LONGEST_WAIT(setting) "2 * " setting "::bigint * interval '1 millisecond' + interval '1 minute'"
