-- SPDX-License-Identifier: Apache-2.0

-- Whether the requests that broke the SLA in a window, beyond what the peers saw, count as harmed by the test. Absent in rows that
-- were written before: all of it was taken for the test's then.
ALTER TABLE judged_window ADD COLUMN moved boolean;
