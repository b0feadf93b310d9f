/** scripts/test --all, as CI runs it, gives the tests of faults more faults and longer outages than scripts/test. */
export const is_long_run = process.env.RECRUITING_TEST_ALL === '1';
